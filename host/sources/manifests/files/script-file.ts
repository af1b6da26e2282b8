import { dump } from 'js-yaml';

/** The text of a .script.ts file: a program over tools without parameters, as a tool. */
export function scriptFile(
  { id, name, description }: { readonly id: string; readonly name: string; readonly description: string },
  program: string,
): string {
  // The comment must not end before it does.
  const keys = dump({ id, name, description: description.replaceAll('*/', '* /') }, { lineWidth: -1 });
  return `/*---\n${keys}---*/\n${program.trim()}\n`;
}
