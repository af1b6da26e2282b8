const maxLength = 140;

/** The beginning of a description, for a list. */
export const firstLineOf = (description: string): string =>
  description.trimStart().slice(0, maxLength).split('\n', 1)[0]!;
