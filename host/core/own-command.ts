import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { parseJson } from './documents/written-numbers.ts';
import { packageRoot } from './files/paths.ts';
import { shellFolders } from './platform/programs.ts';
import { processSurroundings } from './platform/surroundings.ts';
import { thisPlatform } from './platform/this-platform.ts';

/** Where a command would be typed. */
export interface Shell {
  /** Undefined: any folder. */
  readonly cwd?: string | undefined;
  /** The variable PATH. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
}

/** Launchers are a few lines; a larger file is a program. */
const maxLauncherBytes = 4096;

/**
 * How to start the Pegboard in the folder `root` from this shell: "pegboard" where the PATH leads to it, "npx pegboard" in
 * a project that has it, what npx was given where it runs from npx's cache, otherwise the path of its entry point.
 */
export function ownCommand(root: string, shell: Shell): string {
  const folder = realPath(root) ?? root;
  const entry = join(folder, 'bin/pegboard.cjs');
  if (isOnPath(folder, entry, shell)) return 'pegboard';
  const project = shell.cwd === undefined ? undefined : npmProject(shell.cwd);
  const local = project === undefined ? [] : [project, join(project, 'node_modules/pegboard')];
  if (local.some((place) => realPath(place) === folder)) return 'npx pegboard';
  const cached = npxPackage(folder, shell.cwd);
  if (cached !== undefined) return `npx ${quote(cached, shell)}`;
  return `node ${quote(entry, shell)}`;
}

/** The first `pegboard` in the PATH is what a shell would run. */
function isOnPath(folder: string, entry: string, { path, platform }: Shell): boolean {
  const names = platform === 'win32' ? ['pegboard.cmd', 'pegboard.exe'] : ['pegboard'];
  const first = shellFolders(path)
    .flatMap((place) => names.map((name) => join(place, name)))
    .find((file) => isProgram(file, platform));
  if (first === undefined) return false;
  // On Windows npm writes a launcher beside node_modules, elsewhere a link.
  const beside = join(dirname(first), 'node_modules/pegboard');
  return (
    realPath(first) === entry ||
    (platform === 'win32' && realPath(beside) === folder) ||
    launcherOf(first).includes(entry)
  );
}

function isProgram(file: string, platform: NodeJS.Platform): boolean {
  try {
    const stat = statSync(file);
    return stat.isFile() && (platform === 'win32' || (stat.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}

/** The text of a small script; otherwise nothing. */
function launcherOf(file: string): string {
  try {
    return statSync(file).size <= maxLauncherBytes ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

/** The folder that npx takes for the project, as npm's own "local prefix": the nearest with one of these. */
function npmProject(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'node_modules'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** What npx was given, such as "pegboard@1" or "./pegboard.tgz". Undefined outside of npx's cache. */
function npxPackage(folder: string, cwd: string | undefined): string | undefined {
  const cache = dirname(dirname(folder));
  if (basename(dirname(cache)) !== '_npx') return undefined;
  try {
    const { dependencies, _npx: npx } = parseJson(readFileSync(join(cache, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>;
      readonly _npx?: { readonly packages?: readonly string[] };
    };
    const file = /^file:(.*)/.exec(dependencies?.['pegboard'] ?? '')?.[1];
    if (file === undefined) return npx?.packages?.[0];
    // npx was given a path from the folder that it was started in.
    const path = resolve(cache, file);
    if (cwd === undefined) return path;
    const way = relative(cwd, path);
    return way.startsWith('..') || isAbsolute(way) ? path : `./${way}`;
  } catch {
    return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function quote(word: string, { platform }: Shell): string {
  if (platform === 'win32') return /^[\w@.:/\\-]+$/.test(word) ? word : `"${word}"`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Where this process was started. */
const { cwd, env } = processSurroundings();
const shell: Shell = { cwd: cwd(), path: env['PATH'] ?? '', platform: thisPlatform };

/**
 * What to write for `pegboard` in a command that is shown to somebody, so that it runs in their shell: ``Run \`${pegboard}
 * doctor\`.`` It is `pegboard` where the PATH leads to this installation, `npx pegboard` in its clone or in a project that
 * has it, otherwise longer. Text for files that are read elsewhere says `pegboard`.
 */
export const pegboard: string = ownCommand(packageRoot, shell);

/** The same for commands that another program runs, from a folder of its own. */
export const pegboardAnywhere = (): string => ownCommand(packageRoot, { ...shell, cwd: undefined });

/** The same for text that strangers read, such as people whom a bot doesn't know: never a path of this machine. */
export const publicPegboard: string = /^(?:npx )?pegboard$/.test(pegboard) ? pegboard : 'pegboard';
