/** What the page may send, for both sides: nothing else is loaded with this file. */

/** A file, in bytes. */
export const maxFileBytes = 20 * 1024 * 1024;
/** Files of one message or answer. */
export const maxFiles = 20;
