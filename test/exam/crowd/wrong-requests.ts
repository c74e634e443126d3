import type { Drawn } from "./crowd.js";
import { fairWeather } from "./faults.js";
import type { SentRequest } from "./messages.js";
import type { Reply } from "./pool.js";
import type { Task } from "./traits.js";
import { Worker } from "./worker.js";
import type { Steps } from "./world.js";
import { all, alone, type Facts, type WrongClient, walkTask, withFault, withTask } from "./wrong-client.js";

/** What is sent instead; undefined leaves something out. */
type Changed = { [Name in keyof SentRequest]?: SentRequest[Name] | undefined };

/** A worker that sends some requests in another form. The step is done when it has read the answer to that. */
function sending(change: (request: SentRequest) => Changed | undefined, refusedWith?: string) {
  return (facts: Facts) =>
    class extends Worker {
      override *exchange(request: SentRequest): Steps<Reply> {
        const changed = change(request);
        const reply = yield* super.exchange({ ...request, ...changed } as SentRequest);
        const code = refusedWith ?? changed?.problem?.code;
        if (changed !== undefined && reply.kind === "answer" && (code === undefined || reply.answer.code === code))
          facts.steps += 1;
        return reply;
      }
    };
}

/** A worker that sends its API requests in another form. */
function calling(change: (request: SentRequest) => Changed | undefined, refusedWith?: string) {
  return sending((request) => (request.operation === "token" ? undefined : change(request)), refusedWith);
}

/** A worker that requests its tokens in another form. */
function requesting(change: Changed) {
  return sending(({ operation }) => (operation === "token" ? change : undefined));
}

const refusedForm = (code: string, kind: string) => ({ status: 400, code, kind });

const formWith = (change: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries({ grant_type: ["client_credentials"], client_id: ["demo"], scope: ["read"], ...change }));

const ping = withTask({ kind: "ping" });
const walk = withTask(walkTask);

/** The sandbox refuses no cursor on purpose, and none because of its age. */
function withoutCursorFaults({ weather, ...drawn }: Drawn): Drawn {
  const rules = weather.rules.filter(({ fault }) => fault.kind !== "error" || !fault.code.includes("CURSOR"));
  return { ...drawn, weather: { ...weather, rules, cursorLifetime: fairWeather.cursorLifetime } };
}

/** Clients whose requests are not those of the interface. */
export const wrongRequests: readonly WrongClient[] = [
  {
    fails: "token.no-secret",
    how: "sends a client secret in the form",
    worker: requesting({
      form: formWith({ client_secret: ["hush"] }),
      problem: refusedForm("INVALID_REQUEST", "client-authentication"),
    }),
  },
  {
    fails: "token.no-secret",
    how: "sends Basic authentication",
    worker: requesting({ basic: true, problem: refusedForm("INVALID_REQUEST", "client-authentication") }),
  },
  {
    fails: "token.form",
    how: "repeats a parameter of the form",
    worker: requesting({
      form: formWith({ scope: ["read", "read"] }),
      problem: refusedForm("INVALID_REQUEST", "parameter"),
    }),
  },
  {
    fails: "token.form",
    how: "leaves out the scope",
    worker: requesting({ form: formWith({ scope: [] }), problem: refusedForm("INVALID_SCOPE", "parameter") }),
  },
  {
    fails: "token.form",
    how: "sends the client id in the URL",
    worker: requesting({ inUrl: ["client_id"], problem: refusedForm("INVALID_REQUEST", "parameter") }),
  },
  {
    fails: "token.granted",
    how: "sends the id of another client",
    worker: requesting({
      form: formWith({ client_id: ["other"] }),
      problem: refusedForm("INVALID_CLIENT", "certificate-of-another-client"),
    }),
  },
  {
    fails: "token.header",
    how: "sends its token in the URL",
    worker: calling(() => ({ tokenSent: "url" })),
  },
  {
    fails: "token.header",
    how: "sends its token twice",
    worker: calling(() => ({ tokenSent: "twice" })),
  },
  {
    fails: "token.sent",
    how: "never sends a token",
    meets: alone,
    worker: calling(() => ({ token: undefined })),
  },
  {
    fails: "token.host",
    how: "follows a redirect to another host with its token",
    meets: all(ping, withFault({ kind: "redirect" }, { operation: "ping" })),
    worker: (facts) =>
      class extends Worker {
        override *exchange(request: SentRequest): Steps<Reply> {
          const reply = yield* super.exchange(request);
          const host = reply.kind === "answer" ? reply.answer.redirectsTo : undefined;
          if (host === undefined) return reply;
          const followed = yield* super.exchange({ ...request, host });
          if (followed.kind === "answer") facts.steps += 1;
          return followed;
        }
      },
  },
  {
    fails: "tls.encrypted",
    how: "sends plain HTTP",
    worker: (facts) =>
      class extends Worker {
        override *run(tasks: readonly Task[]): Steps<boolean> {
          this.program.sendPlain();
          facts.steps += 1;
          return yield* super.run(tasks);
        }
      },
  },
  {
    fails: "request.path",
    how: "sends a ping to a path that does not exist",
    meets: ping,
    worker: calling(({ operation }) =>
      operation === "ping"
        ? { target: "/v1/pings", problem: { status: 404, code: "NOT_FOUND", kind: "no-such-path" } }
        : undefined,
    ),
  },
  {
    fails: "request.values",
    how: "sends a date without an offset",
    meets: all(walk, withFault({ kind: "error", status: 500, code: "INTERNAL_SERVER_ERROR" }, { likelihood: 0.3 })),
    worker: calling(({ walk: sent }) =>
      sent === undefined ? undefined : { hasValues: true, problem: refusedForm("VALIDATION_ERROR", "list") },
    ),
  },
  {
    fails: "request.correlation-id",
    how: "sends a correlation ID in another form",
    worker: (facts) => {
      let number = 0;
      const problem = refusedForm("INVALID_CORRELATION_ID", "correlation-id");
      return sending(() => {
        number += 1;
        return { correlationId: `?${number}`, problem };
      })(facts);
    },
  },
  {
    fails: "request.parameters",
    how: "sends a parameter that is misspelt",
    meets: walk,
    worker: calling(({ walk: sent }) =>
      sent === undefined ? undefined : { unknown: [{ name: "page_size", near: "pageSize" }] },
    ),
  },
  {
    fails: "list.page-size",
    how: "asks for a thousand rows",
    meets: walk,
    worker: calling(({ walk: sent }) =>
      sent === undefined ? undefined : { problem: refusedForm("INVALID_PAGE_SIZE", "list") },
    ),
  },
  {
    fails: "list.filters",
    how: "leaves out the filters behind the first page",
    meets: all(walk, withoutCursorFaults),
    worker: calling(
      ({ walk: sent, target }) =>
        sent?.cursor === undefined || !sent.name.includes("=")
          ? undefined
          : {
              walk: { ...sent, name: sent.name.replace(/ .*/, " ") },
              target: target.replace(/(status|from)[^&]*&?/, ""),
              hasValues: false,
            },
      "CURSOR_FILTERS_CHANGED",
    ),
  },
  {
    fails: "list.cursor",
    how: "alters the cursor",
    meets: all(walk, withoutCursorFaults),
    worker: calling(
      ({ walk: sent, target }) =>
        sent?.cursor === undefined
          ? undefined
          : { walk: { ...sent, cursor: `${sent.cursor}%3D` }, target: target.replace(/(cursor=[^&]*)/, "$1%3D") },
      "INVALID_CURSOR",
    ),
  },
];
