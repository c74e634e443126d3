import { type FileOperations, systemFiles } from "../../src/sandbox/pki/file-operations.js";

type Operation = (...parameters: unknown[]) => unknown;

/** File operations that are counted, of which chosen ones fail. A write that fails has written a part. */
export class FailingFiles {
  readonly operations: FileOperations;
  #calls = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.POSITIVE_INFINITY;
  #failed: string[] = [];
  #only: string | undefined;

  constructor() {
    const entries = Object.entries(systemFiles as unknown as Record<string, Operation>);
    const counted = entries.map(([name, operation]) => [name, this.#counted(name, operation)]);
    this.operations = Object.fromEntries(counted) as FileOperations;
  }

  /** One call fails, counted from now, from 1. */
  failAt(call: number): void {
    this.#fail(call, call);
  }

  /**
   * This call fails, and all after it.
   * @param only counts and fails the calls of one operation
   */
  failFrom(call: number, only?: keyof FileOperations): void {
    this.#fail(call, Number.POSITIVE_INFINITY, only);
  }

  /** Everything works again. Returns the names of the operations that have failed. */
  work(): readonly string[] {
    const failed = this.#failed;
    this.#fail(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    return failed;
  }

  #fail(first: number, last: number, only?: string): void {
    this.#only = only;
    this.#calls = 0;
    this.#first = first;
    this.#last = last;
    this.#failed = [];
  }

  #counted(name: string, operation: Operation): Operation {
    return (...parameters) => {
      if (this.#only === undefined || this.#only === name) this.#calls += 1;
      else return operation(...parameters);
      if (this.#calls < this.#first || this.#calls > this.#last) return operation(...parameters);
      this.#failed.push(name);
      if (name === "writeFileSync") {
        const [path, data, ...options] = parameters as [string, string | Buffer, ...unknown[]];
        operation(path, data.slice(0, data.length / 2), ...options);
      }
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    };
  }
}
