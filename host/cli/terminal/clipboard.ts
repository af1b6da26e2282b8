import type { User } from '../../core/platform/places.ts';
import { spawn } from 'node:child_process';
import { PegboardError } from '../../core/errors.ts';
import { findProgram, pathOf } from '../../core/platform/programs.ts';
import { thisPlatform } from '../../core/platform/this-platform.ts';
import type { Terminal } from './terminal.ts';

/** A program that puts its input on the clipboard. */
interface ClipboardProgram {
  readonly command: readonly [string, ...string[]];
  readonly encoding: 'utf8' | 'utf16le';
}

/** A clipboard that doesn't answer, such as one of a display that is gone. */
const timeoutMs = 5_000;
/** Base64 characters that terminals accept; several drop a longer sequence without a word. */
const maxSequenceLength = 100_000;

/**
 * Puts a text on the clipboard: with a program of this machine, or through the terminal, which also works over ssh. Resolves
 * with how. Throws PEG_USAGE for a text that is too long for a terminal.
 */
export async function toClipboard(text: string, terminal: Terminal): Promise<string> {
  const { env, userHome } = terminal.surroundings;
  const shown = terminal.redact(text);
  for (const { command, encoding } of clipboardPrograms(thisPlatform, env)) {
    const [name, ...args] = command;
    const path = findProgram(name, pathOf(env));
    if (path !== undefined && (await feed([path, ...args], Buffer.from(shown, encoding), { env, userHome })))
      return `with ${name}`;
  }
  const encoded = Buffer.from(shown).toString('base64');
  if (encoded.length > maxSequenceLength)
    throw new PegboardError(
      'PEG_USAGE',
      'The text is too long to be copied through the terminal: at most 75,000 bytes. Nothing was copied.',
    );
  terminal.err.write(`\x1b]52;c;${encoded}\x07`);
  return 'through the terminal (OSC 52), if it allows that';
}

/** Pure. Those that can reach the clipboard of the person at the terminal, best first. */
export function clipboardPrograms(
  platform: NodeJS.Platform,
  environment: { readonly [name: string]: string | undefined },
): readonly ClipboardProgram[] {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  // Over ssh, the clipboard of this machine is not the one of the person.
  const isHere = !isSet('SSH_CONNECTION') && !isSet('SSH_TTY');
  const programs: readonly (ClipboardProgram & { readonly if: boolean })[] = [
    { command: ['pbcopy'], encoding: 'utf8', if: isHere && platform === 'darwin' },
    {
      command: ['clip.exe'],
      encoding: 'utf16le',
      if: isHere && (platform === 'win32' || isSet('WSL_DISTRO_NAME')),
    },
    { command: ['wl-copy'], encoding: 'utf8', if: isHere && isSet('WAYLAND_DISPLAY') },
    { command: ['xclip', '-selection', 'clipboard'], encoding: 'utf8', if: isHere && isSet('DISPLAY') },
    { command: ['xsel', '--clipboard', '--input'], encoding: 'utf8', if: isHere && isSet('DISPLAY') },
    // It writes the sequence to its own terminal, but by default passes on none that a program in it writes.
    { command: ['tmux', 'load-buffer', '-w', '-'], encoding: 'utf8', if: isSet('TMUX') },
  ];
  return programs.filter((program) => program.if).map(({ command, encoding }) => ({ command, encoding }));
}

/** Whether the program took the input. Some stay in the background for as long as they own the clipboard. */
function feed(
  [program = '', ...args]: readonly string[],
  input: Buffer,
  { env: own, userHome }: User,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const signal = AbortSignal.timeout(timeoutMs);
  // Without it, pbcopy takes text for that of an old Mac.
  const env = { ...own, LC_CTYPE: 'UTF-8' };
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], signal, env, cwd: userHome });
  child.on('error', () => resolve(false));
  child.on('exit', (code) => resolve(code === 0));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return promise;
}
