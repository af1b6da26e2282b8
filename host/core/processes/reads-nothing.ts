/** Programs that read no file and name none, whatever they are given: they print, or write what they are told. */
const readNothing: ReadonlySet<string> = new Set(
  ': echo false mkdir printf rmdir seq sleep tee touch true'.split(' '),
);

/** A name or number in a variable is computed by the shell alone; everything else that it expands may read. */
const readable = /[`&<*?[\](){}~]|\$(?!\w)/;

/**
 * Does a command's template only print and write, so that no file's text or name can be in its output? Only what is
 * surely so: programs of `readNothing` alone, in a list or a pipe, whose output may go to files.
 */
export function readsNothing(template: string): boolean {
  // What a caller passes never becomes syntax.
  const literal = template
    .replaceAll(/\{\{[^{}#/!>^]*\}\}/g, 'x')
    .replaceAll(/[12]>&[12]|[12]?>\s*\/dev\/null/g, ' ');
  const commands = literal.trim().split(/&&|\|\||[;|\n]/);
  return commands.every((command) => {
    const program = /^\s*(\S+)/.exec(command)?.[1];
    return program !== undefined && readNothing.has(program) && !readable.test(command);
  });
}
