/**
 * What to do about a variable that is not set: `advice`. It may be among secrets that can't be read; then `unreadable` says
 * why they can't.
 */
export const orUnreadable = (advice: string, unreadable: string | undefined): string =>
  unreadable === undefined ? advice : `It may be a secret, and the secrets can't be read: ${unreadable}`;
