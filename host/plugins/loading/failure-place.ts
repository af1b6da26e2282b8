import { pathToFileURL } from 'node:url';

/** The position in the plugin's own files where an error was thrown, or undefined when it is elsewhere or unknown. */
export function failurePlace(
  cause: unknown,
  folder: string,
): { readonly path: string; readonly line: number } | undefined {
  const { stack } = cause as { readonly stack?: unknown };
  if (typeof stack !== 'string') return undefined;
  // Syntax errors begin with the place, others have it in their frames; both may be URLs, with a generation.
  const plain = stack.replaceAll(`${pathToFileURL(folder).href}/`, `${folder}/`);
  const at = plain.indexOf(`${folder}/`);
  const found = at < 0 ? null : /^(.+?\.[mc]?[jt]sx?)(?:\?v=\d+)?:(\d+)/.exec(plain.slice(at));
  return found ? { path: found[1]!, line: Number(found[2]) } : undefined;
}
