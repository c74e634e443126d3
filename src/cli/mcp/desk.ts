import type { AdminClient } from "../../library/admin-client.js";
import type { SandboxHandle } from "../../library/sandbox-handle.js";

/** What the tools work with. */
export interface Desk {
  readonly sandbox: SandboxHandle;
  readonly admin: AdminClient;
  /** Where the files of new clients go. */
  readonly folder: string;
  /** Whether the exam may run the agent's command. */
  readonly allowExam: boolean;
}
