/** The text with a full stop, unless it ends with a punctuation mark: a reason, or the message of an error, in a text. */
export const asSentence = (text: string): string => {
  const end = text.trimEnd();
  return /[.?!…]$/.test(end) ? end : `${end}.`;
};
