/** Seconds: no limit, since what such a tool runs has a limit of its own, of at most a day. */
export const noTimeoutSeconds = 2 * 86_400;
