/**
 * How long a test waits for something that has to happen, in milliseconds. It bounds no speed: a machine that is ten times
 * overloaded meets it as well, and a test that reaches it has failed.
 */
export const patience = 60_000;

/** The same for a program that builds, compiles or installs something. */
export const programPatience = 5 * patience;
