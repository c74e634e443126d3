import { h, type Tree } from "./tree.js";

/** The page that asks for the token of the admin API. It works without a script. */
export function signInPage(refused: boolean): Tree {
  return h(
    "main",
    { class: "sign-in" },
    h("h1", {}, "Business Payments Sandbox"),
    h(
      "p",
      {},
      "The admin API demands its token: the value of --admin-token, or the token that was printed at the start.",
    ),
    h(
      "form",
      { method: "post" },
      h("label", { for: "token" }, "Admin token"),
      h("input", {
        id: "token",
        name: "token",
        type: "password",
        required: true,
        autofocus: true,
        autocomplete: "current-password",
        "aria-describedby": refused && "problem",
        "aria-invalid": refused && "true",
      }),
      refused && h("p", { id: "problem", class: "problem", role: "alert" }, "This is not the token."),
      h("button", { class: "button primary" }, "Sign in"),
    ),
  );
}
