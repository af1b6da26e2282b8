import { fileTextsOf } from 'pegboard/processes';
import { parseShell, type ShellCommand } from './commands.ts';
import type { FileGuard } from './dangers.ts';
import { intricate, isDevice, isPlainFile } from './sources.ts';

/**
 * Why a script needs confirmation unless it is known to be harmless. Undefined when it only runs programs that read and
 * print, on files in the folders of the file tools.
 */
export function unknownIn(script: string, guard: FileGuard): string | undefined {
  if (intricate.test(script)) return 'what it does depends on what it computes';
  const { commands, functions, errors } = parseShell(script);
  if (errors.length > 0 || functions.size > 0) return 'what it does depends on what it computes';
  for (const command of commands) {
    const reason = reasonOf(command, guard);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether a command whose words are all known only reads and prints, on files in the folders of the file tools. */
export function isFreeCommand(words: readonly string[], guard: FileGuard): boolean {
  const known = words.map((text) => ({ text, computed: false, open: false, glob: false }));
  return reasonOf({ words: known, reads: [], writes: [], input: 'pipe' }, guard) === undefined;
}

function reasonOf({ words, reads, writes }: ShellCommand, guard: FileGuard): string | undefined {
  const files = [...reads, ...writes];
  const [name] = words;
  if (!files.every(isPlainFile) || [...words, ...reads].some(({ computed, glob }) => computed || glob))
    return 'which files it uses is computed';
  const texts = name
    ? fileTextsOf(
        words.map(({ text }) => text),
        { onlyPrints: true },
      )
    : [];
  if (!texts) {
    const begin = words.slice(0, 2).map(({ text }) => text);
    return `"${begin.join(' ')}" may do more than read and print`;
  }
  for (const { text } of writes) {
    const reason = isDevice(text) ? undefined : guard.redirected(text);
    if (reason !== undefined) return reason;
  }
  const paths = [...texts.flat(), ...reads.map(({ text }) => text)];
  // Of folders it prints what is in their files.
  const folder = /(?:^|\/)diff$/.test(name?.text ?? '')
    ? paths.find((path) => guard.isFolder(path))
    : undefined;
  if (folder !== undefined) return `which files of ${folder} it reads isn't said`;
  for (const path of paths) {
    const reason = guard.keptFrom(path) ?? guard.read(path);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
