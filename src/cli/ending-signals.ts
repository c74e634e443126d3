/** Signals with which a person, a terminal or a supervisor ends a command. */
export const endings = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
