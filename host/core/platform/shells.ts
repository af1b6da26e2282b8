import { win32 } from 'node:path';
import { findProgram, pathOf, programPlaces } from './programs.ts';
import { thisPlatform } from './this-platform.ts';

interface ShellSearch {
  readonly platform?: NodeJS.Platform;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Whether a program is there. */
  readonly isThere?: (path: string) => boolean;
}

/** Windows' own `bash.exe` starts WSL, where the paths of this system mean nothing. */
const startsWsl = /\\(?:system32|windowsapps)\\/i;

/**
 * The bash for commands. Windows has none: Git for Windows brings one, wherever it is installed. Undefined where
 * there is none.
 */
export function findBash(search: ShellSearch): string | undefined {
  const { platform = thisPlatform, environment } = search;
  const places = { ...pathOf(environment), platform };
  if (platform !== 'win32') return findProgram('bash', places);
  const {
    isThere = (path) =>
      findProgram(win32.basename(path), { ...places, path: win32.dirname(path) }) !== undefined,
  } = search;
  const installed = [
    environment['ProgramFiles'],
    environment['ProgramFiles(x86)'],
    environment['LOCALAPPDATA'],
  ]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => ['Git', 'Programs\\Git'].map((name) => win32.join(folder, name, 'bin\\bash.exe')));
  return [...programPlaces('bash.exe', places), ...installed].find(
    (path) => !startsWsl.test(path) && isThere(path),
  );
}

let known: string | undefined;

/** The name or path with which bash is started. The system looks it up where it is on the PATH. */
export const bashProgram = (): string =>
  thisPlatform === 'win32' ? (known ??= findBash({ environment: process.env }) ?? 'bash') : 'bash';

/** Runs the command line of a hook: with sh, or on Windows with Git's bash where it is installed, else PowerShell. */
export function hookShell(command: string, search: ShellSearch): readonly string[] {
  if ((search.platform ?? thisPlatform) !== 'win32') return ['/bin/sh', '-c', command];
  const bash = findBash(search);
  return bash === undefined
    ? ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', command]
    : [bash, '--noprofile', '--norc', '-c', command];
}
