import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Client, get, post } from "./api.js";
import { useDashboard } from "./dashboard.js";
import { ClientOptions, contentOf, Field } from "./forms.js";
import { useRead } from "./hooks.js";
import { Button } from "./parts.js";

/** What is reset: all, or one client. */
export interface ResetQuestion {
  readonly client: string | undefined;
}

/**
 * The question before a client, or the whole sandbox, is reset.
 * @param asked undefined while nobody wants a reset
 */
export function ResetDialog({ asked, close }: { asked: ResetQuestion | undefined; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (asked) dialog.current?.showModal();
  }, [asked]);
  return (
    <dialog ref={dialog} class="floating" aria-labelledby="reset-title" onClose={close}>
      {asked && <ResetForm client={asked.client} close={() => dialog.current?.close()} />}
    </dialog>
  );
}

function ResetForm({ client, close }: { client: string | undefined; close: () => void }) {
  const { change, say } = useDashboard();
  const { value: clients = [] } = useRead(async () => (await get<{ items: readonly Client[] }>("/clients")).items, []);
  const reset = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    const one = String(contentOf(event).get("client") ?? "");
    const isDone = await change(() => post("/reset", one === "" ? {} : { client: one }));
    if (!isDone) return;
    say(one === "" ? "The sandbox was reset." : `${one} was reset.`);
    close();
  };
  return (
    <form class="stack" onSubmit={(event) => void reset(event)}>
      <h2 id="reset-title">Reset</h2>
      <Field id="reset-client" label="What is reset">
        <select id="reset-client" name="client">
          <option value="" selected={client === undefined}>
            the whole sandbox
          </option>
          <ClientOptions clients={clients} chosen={client} />
        </select>
      </Field>
      <p>
        Its requests, scenarios with their counters, clocks and reports begin again, for everybody who uses this
        sandbox. Clients, certificates, tokens and uploaded scenarios stay. This cannot be undone.
      </p>
      <div class="bar">
        <Button onClick={close}>Cancel</Button>
        <button type="submit" class="button danger">
          Reset
        </button>
      </div>
    </form>
  );
}
