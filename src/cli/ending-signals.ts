/** Signals with which a person, a terminal or a supervisor ends a command. nodemon sends SIGUSR2. */
export const endings = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const;
