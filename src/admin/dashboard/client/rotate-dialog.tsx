import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { pathOf, post, type RotatedClient } from "./api.js";
import { useDashboard } from "./dashboard.js";
import { instant, visible } from "./format.js";
import { contentOf, Field } from "./forms.js";
import { Button } from "./parts.js";

const units = [
  ["s", "seconds"],
  ["m", "minutes"],
  ["h", "hours"],
  ["d", "days"],
] as const;

/** A button that opens the dialog of a rotation: a new certificate in place of the present one. */
export function RotateButton({ client }: { client: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { change, say } = useDashboard();
  const rotate = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    const content = contentOf(event);
    const given = (name: string) => String(content.get(name) ?? "");
    const key = given("key");
    const isMade = await change(async () => {
      const { previous } = await post<RotatedClient>(pathOf("clients", client, "rotate"), {
        overlap: given("overlap") + given("overlap-unit"),
        validFor: given("validFor") + given("validFor-unit"),
        ...(key === "same" ? { sameKey: true } : key === "new" ? {} : { keyType: key }),
        ...(given("issuer") === "" ? {} : { issuer: given("issuer") }),
      });
      const end = previous === null ? "" : ` The previous one ends at ${instant(previous.endsAt)}.`;
      say(`${client} has a new certificate.${end}`);
    });
    if (isMade) dialog.current?.close();
  };
  return (
    <>
      <Button id="rotate" onClick={() => dialog.current?.showModal()}>
        Rotate …
      </Button>
      <dialog ref={dialog} class="floating" aria-labelledby="rotate-title">
        <h2 id="rotate-title">Rotate: a new certificate for {visible(client)}</h2>
        <form class="stack" onSubmit={(event) => void rotate(event)}>
          <Duration name="validFor" label="It is valid for" value="397" unit="d" least={1} />
          <Duration
            name="overlap"
            label="The present one may still be used for (overlap)"
            value="30"
            unit="s"
            least={0}
          />
          <Field id="rotate-key" label="Key">
            <select id="rotate-key" name="key">
              <option value="new">a new one of the same type</option>
              <option value="ec">a new one, EC (P-256)</option>
              <option value="rsa">a new one, RSA (2048 bits)</option>
              <option value="same">the same key</option>
            </select>
          </Field>
          <Field id="rotate-issuer" label="Issuer">
            <select id="rotate-issuer" name="issuer">
              <option value="">as of the present one</option>
              <option value="root">the CA itself</option>
              <option value="intermediate">an intermediate CA</option>
            </select>
          </Field>
          <div class="bar">
            <Button onClick={() => dialog.current?.close()}>Cancel</Button>
            <button type="submit" class="button primary">
              Rotate
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}

/** A number, and its unit. */
function Duration({
  name,
  label,
  value,
  unit,
  least,
}: {
  name: string;
  label: string;
  value: string;
  unit: (typeof units)[number][0];
  least: number;
}) {
  return (
    <Field id={`rotate-${name}`} label={label}>
      <span class="bar">
        <input id={`rotate-${name}`} name={name} type="number" min={least} step={1} required defaultValue={value} />
        <select name={`${name}-unit`} aria-label={`Unit: ${label}`}>
          {units.map(([short, long]) => (
            <option value={short} selected={short === unit}>
              {long}
            </option>
          ))}
        </select>
      </span>
    </Field>
  );
}
