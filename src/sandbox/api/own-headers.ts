// Constants, so that these names exist before a scenario file is read. V8 keeps the first text of a name that it meets.
// If that text comes from a file with a character beyond Latin-1, it has two bytes for each character, and so has each
// answer that begins with it.

/** Says which assumptions shaped an answer. */
export const assumedHeader = "Sandbox-Assumed";

/** Says which rule of a scenario acted on an answer. */
export const faultHeader = "Sandbox-Fault";
