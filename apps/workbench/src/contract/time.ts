/** Milliseconds since 1970. */
export type Time = number;
