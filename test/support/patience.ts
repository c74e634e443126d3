/**
 * The time-out of a test that waits for one event, in milliseconds. It does not check speed: it is long enough for a
 * machine that is twenty times overloaded. A test that reaches it has failed.
 */
export const patience = 120_000;

/** The same for a program that builds, compiles or installs something. */
export const programPatience = 5 * patience;
