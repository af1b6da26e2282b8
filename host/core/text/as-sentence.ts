/** The text with a full stop, unless it ends with one or another mark. */
export const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);
