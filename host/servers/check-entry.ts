/** Why a server can't have this name; undefined when it can. */
export function serverNameProblem(name: string): string | undefined {
  if (/^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_))*$/.test(name)) return undefined;
  return `"${name}" can't be a server's name, which becomes the first half of its tools' ids: letters, digits, "-" and single "_".`;
}

export const isServerAddress = (url: string): boolean => URL.canParse(url) && /^https?:/.test(url);
