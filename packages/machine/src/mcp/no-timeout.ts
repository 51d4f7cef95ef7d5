/** The longest a timer can wait. Deadlines are the caller's, by signal; the SDK insists on one. */
export const maxTimerMs = 2 ** 31 - 1;
