import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, posix, win32 } from 'node:path';
import type { Surroundings } from '../../api/surroundings.ts';
import { PegboardError } from '../errors.ts';
import { thisPlatform } from './this-platform.ts';

export interface ProgramSearch {
  readonly platform?: NodeJS.Platform;
  /** A PATH variable. */
  readonly path: string | undefined;
  /** Windows' PATHEXT: the extensions of programs, separated by semicolons. */
  readonly extensions?: string | undefined;
}

/** Where these variables say that programs are. */
export const pathOf = (env: Readonly<NodeJS.ProcessEnv>): ProgramSearch => ({
  path: env['PATH'],
  extensions: env['PATHEXT'],
});

/** The extensions of programs where PATHEXT is not set. */
const usualExtensions = '.COM;.EXE;.BAT;.CMD';

/**
 * The folders of a PATH that the user's own shell has too: npm and npx put further ones in front for what they run. Relative
 * ones are left out.
 */
export const shellFolders = (path: string): readonly string[] =>
  path
    .split(delimiter)
    .filter(
      (folder) => isAbsolute(folder) && !/[\\/](?:node_modules[\\/]\.bin|node-gyp-bin)[\\/]?$/.test(folder),
    );

/** Every place where a program of this name can be, in the order in which the system looks. */
export function programPlaces(name: string, search: ProgramSearch): readonly string[] {
  const { platform = thisPlatform, path, extensions } = search;
  const { join, delimiter } = platform === 'win32' ? win32 : posix;
  const names =
    platform === 'win32'
      ? withExtensions(
          name,
          (extensions || usualExtensions).split(';').map((extension) => extension.toLowerCase()),
        )
      : [name];
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((file) => join(folder, file)));
}

/** Windows doesn't start a file without an extension: npm puts `npx`, a shell script, beside `npx.cmd`. */
const withExtensions = (name: string, extensions: readonly string[]): readonly string[] =>
  extensions.some((extension) => name.toLowerCase().endsWith(extension))
    ? [name]
    : extensions.map((extension) => `${name}${extension}`);

/** The first program of that name on the PATH. */
export const findProgram = (name: string, search: ProgramSearch): string | undefined =>
  programPlaces(name, search).find(isExecutable);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The path of the running Node. A link on the PATH is preferred, since it survives updates. */
export function lastingNode({ env }: Pick<Surroundings, 'env'>): string {
  const { execPath } = process;
  const own = realpathSync(execPath);
  const isLasting = (path: string): boolean =>
    isAbsolute(path) && !path.includes('node_modules') && realPath(path) === own;
  return programPlaces('node', pathOf(env)).find(isLasting) ?? execPath;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A command for `spawn`. */
export interface Spawned {
  readonly argv: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

/**
 * Windows can't start a batch file, such as `npx.cmd`, without cmd.exe, and Node refuses to try. Every other program
 * is started as it is. Throws PEG_COMMAND_FAILED for an argument that a batch file can't get.
 */
export function spawnable(
  argv: readonly string[],
  search: ProgramSearch & { readonly shell?: string | undefined },
): Spawned {
  const [program = '', ...args] = argv;
  const { platform = thisPlatform, shell = 'cmd.exe' } = search;
  if (platform !== 'win32') return { argv, verbatim: false };
  const path = /[\\/]/.test(program) ? program : (findProgram(program, search) ?? program);
  if (!/\.(?:cmd|bat)$/i.test(path)) return { argv, verbatim: false };
  if (args.some((arg) => /[\r\n]/.test(arg)))
    throw new PegboardError(
      'PEG_COMMAND_FAILED',
      `${program} is a batch file (${path}), and Windows passes no line breaks to those. Pass the text through a file or standard input.`,
    );
  const line = [forCmd(quoteArgument(path)), ...args.map((arg) => forBatch(quoteArgument(arg)))].join(' ');
  return { argv: [shell, '/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** By the rules of `CommandLineToArgvW`: backslashes count only before a quotation mark. */
const quoteArgument = (argument: string): string =>
  `"${argument.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;

/** A caret takes the meaning from the next character, within quotation marks too. */
const forCmd = (text: string): string => text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');

/** A batch file passes its arguments through cmd.exe a second time. */
const forBatch = (text: string): string => forCmd(forCmd(text));
