import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';

/** Where a plugin comes from. */
export type PluginSource =
  | { readonly kind: 'npm'; readonly name: string; readonly range: string | undefined }
  | { readonly kind: 'git'; readonly url: string; readonly ref: string | undefined }
  /** Absolute: a folder, or a .tgz that `npm pack` has made. */
  | { readonly kind: 'path'; readonly path: string };

const packageName = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
/** Versions, ranges and tags. npm also takes addresses and paths here, which are no versions of that package. */
const versionRange = /^[\w.^~<>=|*+ -]+$/;
/** A branch, a tag or a hash. */
const gitRef = /^[A-Za-z0-9_][\w./+-]*$/;
/** "github.com/ada/dice": over https. */
const hostAndPath = /^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+\/[\w.~+-][\w./~+-]*$/i;
const scpAddress = /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][\w.-]*:[\w~/][\w~./+-]*$/;

export const isPackageName = (name: string): boolean => packageName.test(name) && name.length <= 214;
export const isVersionRange = (range: string): boolean =>
  range === '' || (versionRange.test(range) && !range.startsWith('-'));

/** Reads `npm:NAME[@RANGE]`, `git:URL[#REF]` or a path from the folder `cwd`. Throws PEG_USAGE. */
export function parseSource(text: string, cwd: string): PluginSource {
  if (text.startsWith('npm:')) return npmSource(text.slice(4));
  if (text.startsWith('git:')) return gitSource(text.slice(4));
  const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(text) ?? [];
  if (scheme !== undefined)
    throw new PegboardError(
      'PEG_USAGE',
      `Plugins don't come from "${scheme}:". Write npm:NAME, git:${/^(?:https|ssh)$/.test(scheme) ? text : 'URL'} or a path.`,
    );
  const path = resolve(cwd, text);
  if (text === '' || !existsSync(path))
    throw new PegboardError(
      'PEG_USAGE',
      `There is no ${path}.${isPackageName(text) ? ` A package of npm's registry is written npm:${text}.` : ''}`,
    );
  return { kind: 'path', path };
}

/** As it is typed, and kept in the lock file. */
export function sourceText(source: PluginSource): string {
  if (source.kind === 'path') return source.path;
  if (source.kind === 'git') return `git:${source.url}${source.ref === undefined ? '' : `#${source.ref}`}`;
  return `npm:${source.name}${source.range === undefined ? '' : `@${source.range}`}`;
}

/** Whether both name the same package, repository or path, whatever the version. */
export function isSameOrigin(one: PluginSource, other: PluginSource): boolean {
  if (one.kind === 'npm') return other.kind === 'npm' && one.name === other.name;
  if (one.kind === 'git') return other.kind === 'git' && one.url === other.url;
  return other.kind === 'path' && one.path === other.path;
}

function npmSource(text: string): PluginSource {
  const at = text.indexOf('@', 1);
  const name = at < 0 ? text : text.slice(0, at);
  const range = at < 0 ? undefined : text.slice(at + 1);
  if (!isPackageName(name))
    throw new PegboardError(
      'PEG_USAGE',
      `"${name}" can't be the name of a package of npm's registry. Write npm:NAME or npm:NAME@VERSION.`,
    );
  if (range !== undefined && (range === '' || !isVersionRange(range)))
    throw new PegboardError(
      'PEG_USAGE',
      `"${range}" is no version of ${name}: write a version, a range or a tag, as in npm:${name}@^1.0.0.`,
    );
  return { kind: 'npm', name, range };
}

function gitSource(text: string): PluginSource {
  const hash = text.indexOf('#');
  const typed = hash < 0 ? text : text.slice(0, hash);
  const url = hostAndPath.test(typed) ? `https://${typed}` : typed;
  const ref = hash < 0 ? undefined : text.slice(hash + 1);
  if (!scpAddress.test(url)) checkUrl(url);
  if (ref !== undefined && (!gitRef.test(ref) || ref.includes('..')))
    throw new PegboardError(
      'PEG_USAGE',
      `"${ref}" can't be what to take of ${url}: write a branch, a tag or a commit's whole hash.`,
    );
  return { kind: 'git', url, ref };
}

/** Git itself takes more: programs to run (`ext::`), paths and options. */
function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isOpen = parsed?.protocol === 'https:' || parsed?.protocol === 'ssh:';
  if (!isOpen || !/^[A-Za-z0-9[]/.test(parsed.hostname) || !/^[\w~./%+-]+$/.test(parsed.pathname))
    throw new PegboardError(
      'PEG_USAGE',
      `Git repositories are read over https or ssh, and "${url}" is neither: write git:https://HOST/PATH or git:ssh://git@HOST/PATH. A folder on this machine is added by its path.`,
    );
  if (parsed.password !== '' || (parsed.protocol === 'https:' && parsed.username !== ''))
    throw new PegboardError(
      'PEG_USAGE',
      `The address of ${parsed.host} has a user or a password in it, which would be stored and shown. Leave it out: git's credential helper or an ssh key signs in. \`${pegboard} help plugins add\` has examples.`,
    );
  if (parsed.username !== '' && !/^[A-Za-z0-9_][\w.-]*$/.test(parsed.username))
    throw new PegboardError('PEG_USAGE', `"${parsed.username}" can't be a user of ${parsed.host}.`);
}
