/** "/tools 2" → "tools" and "2". Undefined for what is no command. */
export function readCommand(text: string): { readonly name: string; readonly rest: string } | undefined {
  const [, name, rest = ''] = /^\/([a-z0-9_]+)(?:\s+([^]*))?$/i.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), rest: rest.trim() };
}
