import { upperFirst } from "../../../base/text/letters.js";
import { counted, thousands } from "../../../base/text/numbers.js";
import { termText } from "../../../sandbox/journal/query.js";
import type { Client, ClientActivity, Identity } from "./data.js";
import { instant, offset, plural, short, visible } from "./format.js";
import { ago } from "./overview.js";
import {
  badge,
  button,
  copyButton,
  downloadLinks,
  facts,
  hash,
  icon,
  identityDownloads,
  mono,
  quietText,
  requestsHash,
  searchInput,
  section,
} from "./parts.js";
import type { SnippetFacts } from "./program-facts.js";
import { snippetTabs } from "./snippet-tabs.js";
import { type Child, h, type Tree } from "./tree.js";
import { validity } from "./validity.js";

/** What the page of clients shows. */
export interface ClientsModel {
  readonly clients: readonly Client[];
  readonly identities: readonly Identity[];
  /** The recent activity of clients, from the journal. */
  readonly activity: readonly ClientActivity[];
  /** A client's id, or the name of a misfit. */
  readonly chosen: { readonly kind: "client" | "misfit"; readonly name: string } | undefined;
  readonly filter: string;
  /** The facts of the chosen client or misfit. */
  readonly facts: SnippetFacts | undefined;
  /** The language of the snippets. */
  readonly language: string;
  /** The time of the sandbox's clock, in milliseconds since the epoch. */
  readonly now: number;
}

/** Thousands of links on a page are not useful; the filter finds the others. */
const mostListed = 300;

export function clientsPage(model: ClientsModel): Tree[] {
  const { clients, identities, chosen, filter } = model;
  const active = new Map(model.activity.map((entry) => [entry.client, entry]));
  const wanted = clients.filter(({ clientId }) => clientId.toLowerCase().includes(filter.toLowerCase()));
  const misfits = identities.filter(({ kind }) => kind === "misfit");
  return [
    h(
      "div",
      { class: "side" },
      newClientForm(),
      h("h2", {}, "Clients ", h("span", { class: "count" }, clients.length)),
      clients.length > 12 && searchInput("client", "Find a client", filter),
      h(
        "ul",
        { class: "items" },
        wanted
          .slice(0, mostListed)
          .map((client) =>
            clientItem(client, identities, isChosen(chosen, "client", client.clientId), active.get(client.clientId)),
          ),
      ),
      wanted.length > mostListed && quietText(`and ${wanted.length - mostListed} more; type to find them`),
      h("h2", {}, "Misfits ", h("span", { class: "count" }, misfits.length)),
      quietText("Certificates that must be refused, each for a different reason."),
      h(
        "ul",
        { class: "items" },
        misfits.map((misfit) => misfitItem(misfit, isChosen(chosen, "misfit", misfit.name))),
      ),
    ),
    h("div", { class: "main" }, main(model)),
  ];
}

function isChosen(chosen: ClientsModel["chosen"], kind: string, name: string): boolean {
  return chosen?.kind === kind && chosen.name === name;
}

function newClientForm(): Tree {
  return h(
    "form",
    { class: "new-client", "data-submit": "new-client" },
    h("label", { class: "sr-only", for: "new-client-id" }, "Id of the new client"),
    h("input", {
      id: "new-client-id",
      name: "clientId",
      placeholder: "Id (made up when empty)",
      pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}",
      maxlength: 64,
      "data-invalid": "Give letters, digits, dots, hyphens and underscores, such as shop-1.",
      autocomplete: "off",
      spellcheck: "false",
    }),
    h("button", { class: "button primary" }, icon("add"), "New client"),
  );
}

function clientItem(
  client: Client,
  identities: readonly Identity[],
  chosen: boolean,
  activity: ClientActivity | undefined,
): Tree {
  const { clientId, scenario, clock } = client;
  const purpose = identities.find(({ kind, clientId: id }) => kind === "client" && id === clientId)?.purpose;
  return item(hash("clients", clientId), chosen, [
    h("b", {}, visible(clientId)),
    scenario !== null && badge("warn", visible(scenario)),
    clock.mode === "frozen" && badge("info", "frozen"),
    clock.mode === "offset" && badge("info", offset(clock.offset)),
    activity && h("span", { class: "activity" }, activityText(activity)),
    h("small", {}, purpose ?? origin(client)),
  ]);
}

/** `258 requests, 3 refused, 3 s ago`. */
function activityText({ requests, refusals, lastSeen }: ClientActivity): Child {
  return [
    counted(requests, "request"),
    refusals > 0 && [", ", h("b", {}, `${thousands(refusals)} refused`)],
    `, ${ago(lastSeen, Date.now())}`,
  ];
}

function origin({ downloads }: Client): string {
  return downloads.length > 0 ? "made while the sandbox ran" : "with a certificate of your own";
}

function misfitItem({ name, purpose }: Identity, chosen: boolean): Tree {
  return item(hash("clients", "misfits", name), chosen, [h("b", {}, name), h("small", {}, purpose)]);
}

function item(href: string, chosen: boolean, content: readonly Child[]): Tree {
  return h("li", {}, h("a", { href, "aria-current": chosen && "true" }, content));
}

function main(model: ClientsModel): Child {
  const { chosen, clients, identities } = model;
  if (!chosen) {
    return h(
      "p",
      { class: "hint" },
      "Choose a client to see its certificates, its files, and how to use it from your language.",
    );
  }
  if (chosen.kind === "client") {
    const client = clients.find(({ clientId }) => clientId === chosen.name);
    return client ? clientDetail(client, model) : gone(chosen.name);
  }
  const misfit = identities.find(({ kind, name }) => kind === "misfit" && name === chosen.name);
  return misfit ? misfitDetail(misfit, model) : gone(chosen.name);
}

function gone(name: string): Tree {
  return h("p", { class: "hint" }, `There is no "${visible(name)}" (any more).`);
}

function clientDetail(
  client: Client,
  { identities, facts: known, language, activity: activities }: ClientsModel,
): Child {
  const activity = activities.find(({ client: id }) => id === client.clientId);
  const { clientId, scopes, seed, scenario, clock, downloads, certificates } = client;
  const standing = identities.some(({ kind, clientId: id }) => kind === "client" && id === clientId);
  return [
    backLink(),
    h("h2", {}, visible(clientId)),
    facts([
      ["Scopes", mono(scopes.join(" "))],
      ["Seed", [mono(seed), copyButton(seed, "the seed")]],
      [
        "Scenario",
        [
          scenario ?? "the one for all",
          " ",
          h("a", { href: hash("scenarios"), "data-do": "aim", "data-client": clientId }, "change"),
        ],
      ],
      [
        "Clock",
        [
          clock.mode === "real" ? "the sandbox's" : clock.mode === "frozen" ? "frozen" : offset(clock.offset),
          " ",
          h("a", { href: hash("clock"), "data-do": "aim", "data-client": clientId }, "change"),
        ],
      ],
      [
        "Requests",
        [
          activity && h("span", {}, activityText(activity)),
          h("a", { href: requestsHash(termText("client", clientId)) }, "show only this client's"),
        ],
      ],
      ["Report", h("a", { href: hash("report", clientId) }, "is this client right?")],
    ]),
    downloads.length > 0 && section("Files", downloadLinks(downloads)),
    known && section("Use it from", snippetTabs(known, language)),
    section(
      plural(certificates.length, "certificate"),
      h("p", {}, button("rotate", "Rotate", { class: "button", "data-client": clientId })),
      lineOfTime(client),
      certificateCards(client, identities),
    ),
    !standing &&
      h("p", {}, button("remove-client", "Remove this client", { class: "button danger", "data-client": clientId })),
  ];
}

function backLink(): Tree {
  return h("a", { class: "button back", href: hash("clients") }, icon("back"), "Clients");
}

/** What happened to the certificates, and what will: a list in the order of the client's clock. */
function lineOfTime({ clientId, certificates, clock }: Client): Tree {
  const now = Date.parse(clock.now);
  const events = certificates.flatMap(({ thumbprint, notBefore, notAfter, endsAt, ended }) =>
    [
      { at: notBefore, what: "valid from here on" },
      { at: endsAt, what: `ends: ${ended}` },
      { at: notAfter, what: "its dates end" },
    ].flatMap(({ at, what }) => (at === null ? [] : [{ at: Date.parse(at), what, thumbprint }])),
  );
  const all = [...events, { at: now, what: "now, on the clock of the client", thumbprint: undefined }];
  return h(
    "ol",
    { class: "line-of-time", "aria-label": `Line of time of the certificates of ${visible(clientId)}` },
    all
      .sort((one, other) => one.at - other.at)
      .map(({ at, what, thumbprint }) =>
        h(
          "li",
          {},
          mono(instant(new Date(at).toISOString())),
          " ",
          thumbprint === undefined ? h("b", {}, what) : [mono(short(thumbprint)), ` ${what}`],
        ),
      ),
  );
}

function certificateCards({ certificates, clock }: Client, identities: readonly Identity[]): Tree {
  const now = Date.parse(clock.now);
  return h(
    "ul",
    { class: "cards" },
    certificates.map((certificate) => {
      const identity = identities.find(({ thumbprint }) => thumbprint === certificate.thumbprint);
      return h(
        "li",
        {},
        h(
          "p",
          {},
          h("b", {}, visible(certificate.identity ?? certificate.subject ?? short(certificate.thumbprint))),
          validity(certificate, now),
        ),
        identity?.kind === "misfit" && quietText(identity.purpose),
        facts([
          ["Connections", h("a", { href: requestsHash(`"${certificate.thumbprint}"`) }, "show the requests over it")],
          ["Thumbprint", [mono(certificate.thumbprint), copyButton(certificate.thumbprint, "the thumbprint")]],
          ["Subject", certificate.subject === null ? null : mono(certificate.subject)],
          ["Serial", certificate.serialNumber === null ? null : mono(certificate.serialNumber)],
        ]),
      );
    }),
  );
}

function misfitDetail(misfit: Identity, { facts: known, language, now }: ClientsModel): Child {
  const { name, purpose, folder, clientId, thumbprint, subject, registeredFor } = misfit;
  return [
    backLink(),
    h("h2", {}, name),
    h("p", { class: "purpose" }, `${upperFirst(purpose)}. `, h("b", {}, "It must be refused.")),
    facts([
      ["At the sandbox's time", validity(misfit, now)],
      ["Registered for", registeredFor ?? "no client"],
      ["Sends client_id", mono(clientId)],
      ["Folder", folder === null ? null : mono(folder)],
      ["Thumbprint", [mono(thumbprint), copyButton(thumbprint, "the thumbprint")]],
      ["Subject", mono(subject)],
    ]),
    section("Files", downloadLinks(identityDownloads(name))),
    known && section("Try it from", snippetTabs(known, language)),
  ];
}
