// Constants, so that these names exist before a scenario file is read. V8 keeps the first text of a name that it meets. From a file with
// one character beyond Latin-1 that text has two bytes for each character, and so has each answer that it is put in front of.

/** Says which assumptions shaped an answer. */
export const assumedHeader = "Sandbox-Assumed";

/** Says which rule of a scenario acted on an answer. */
export const faultHeader = "Sandbox-Fault";
