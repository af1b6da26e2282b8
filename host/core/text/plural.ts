/** "1 tool", "3 tools". `several`: a plural that is not formed with s. */
export const plural = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
