// Runs in the fuzzed server before it starts: its garbage collector does not run while it is idle, so a full heap looks
// like a leak. At SIGWINCH, which the server does not use, it is collected.
process.on("SIGWINCH", () => globalThis.gc());
