/** Programs that, with any arguments, neither read files nor list their names: they only print, or write their input. */
const readNothing: ReadonlySet<string> = new Set(
  ': echo false mkdir printf rmdir seq sleep tee touch true'.split(' '),
);

/** Names and numbers of variables are expanded without reading files. Any other expansion may read. */
const readable = /[`&<*?[\](){}~]|\$(?!\w)/;

/**
 * Whether a command's template only prints and writes, so that its output can't contain text or names of files. True
 * only if that is certain: programs of `readNothing` in a list or a pipe, with output to files allowed.
 */
export function readsNoFiles(template: string): boolean {
  // Values of callers never become syntax.
  const literal = template
    .replaceAll(/\{\{[^{}#/!>^]*\}\}/g, 'x')
    .replaceAll(/[12]>&[12]|[12]?>\s*\/dev\/null/g, ' ');
  const commands = literal.trim().split(/&&|\|\||[;|\n]/);
  return commands.every((command) => {
    const program = /^\s*(\S+)/.exec(command)?.[1];
    return program !== undefined && readNothing.has(program) && !readable.test(command);
  });
}
