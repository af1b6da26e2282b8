import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { asSentence, PegboardError, type FileMentions } from 'pegboard';
import { realPathOf } from 'pegboard/files';
import type { Surroundings } from 'pegboard';
import type { Checkout } from './git.ts';

/** The checkout that an agent may read and change. */
export interface Project extends Checkout {
  /** Absolute, with links resolved. */
  readonly root: string;
  /** Throws PEG_DENIED for files that must not be read. */
  readable(path: string): string;
  /** Throws PEG_DENIED for files that an agent must not change. */
  writable(path: string): Writable;
}

interface Writable {
  /** Absolute and real. */
  readonly path: string;
  /** It belongs to the home itself, not to Pegboard. */
  readonly isOwn: boolean;
}

const readableFolders = ['host', 'plugins', 'spaces', 'schemas', 'test', 'bench', 'docs', 'bin', 'tools'];
const readableFiles = [
  'package.json',
  'tsconfig.json',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'vitest.config.ts',
];
/** The folders that may be changed. */
export const writableFolders = ['host', 'plugins', 'spaces', 'schemas', 'test', 'bench', 'docs'];

/** For these, a question shows the changed lines; for everything else, the whole difference. */
export const ownFolders = ['docs', 'plugins', 'spaces'];
/** In `plugins`, but part of Pegboard. */
const shipped = /^plugins\/builtin-/;

/**
 * Files that decide what an agent may do. Only people change them and their tests, which have the same path below
 * `test/`.
 */
export const guardedSource = [
  'host/create-host.ts',
  'host/home-trust.ts',
  'host/compose/',
  'host/approvals/',
  'host/dispatch/',
  'host/agent/provenance.ts',
  'host/api/known-folders.ts',
  'plugins/builtin-channels/access/',
  'plugins/builtin-channels/asks/',
  'plugins/builtin-channels/incoming/',
  'host/core/answered-elsewhere.ts',
  'host/core/choices.ts',
  'host/core/foreign/',
  'host/core/files/config-files.ts',
  'host/core/files/guarded-names.ts',
  'host/core/files/open-folder.ts',
  'host/core/files/known-folders.ts',
  'host/core/files/named-files.ts',
  'host/core/files/write-boundary.ts',
  'host/core/platform/',
  'host/core/processes/',
  'host/core/programs/',
  'host/core/sandbox/',
  'host/core/secrets/',
  'host/core/text/words-in-command.ts',
  'plugins/builtin-mcp-server/http/guard.ts',
  'host/plugins/ask-channels.ts',
  'host/plugins/loading/folder-hash.ts',
  'host/plugins/loading/space-code.ts',
  'host/plugins/loading/trust.ts',
  'host/sources/manifests/command/',
  'host/sources/mcp/approval/',
  'host/spaces/pinned/',
  'host/store/files/file-origins.ts',
  'host/store/files/json-store.ts',
  'host/store/owner/',
  'host/store/secrets/',
  'host/tools/access.ts',
  'host/tools/fingerprint.ts',
  'plugins/builtin-core/filesystem/',
  'plugins/builtin-core/shell/',
  'plugins/builtin-core/workspace/',
  'plugins/builtin-discord/incoming/',
  'plugins/builtin-self/',
  'plugins/builtin-telegram/incoming/',
  'plugins/builtin-web/addresses.ts',
  'plugins/builtin-web/fetch-public.ts',
];
/** Tests that protect the whole system, and the helpers of all tests. */
export const guardedTests = ['test/fixtures/', 'test/kit/', 'test/system/'];

/** Undefined without a checkout that has a git history: an installed package can't change itself. */
export function openProject(root: string, { env }: Pick<Surroundings, 'env'>): Project | undefined {
  if (!existsSync(join(root, '.git'))) return undefined;
  const real = realpathSync(root);
  const place = (path: string): { readonly full: string; readonly inside: string } => {
    const full = realPathOf(isAbsolute(path) ? path : resolve(real, path));
    const inside = relative(real, full).split(sep).join('/');
    if (inside === '..' || inside.startsWith('../') || isAbsolute(inside))
      refuse(path, 'it lies outside the project');
    return { full, inside };
  };
  const within = (inside: string, folders: readonly string[]): boolean =>
    folders.some((folder) => inside === folder || inside.startsWith(`${folder}/`));
  return {
    root: real,
    env,
    readable(path) {
      const { full, inside } = place(path);
      if (!within(inside, readableFolders) && !readableFiles.includes(inside)) {
        refuse(path, `only ${readableFolders.join(', ')} and ${readableFiles.join(', ')} are read`);
      }
      return full;
    },
    writable(path) {
      const { full, inside } = place(path);
      if (!within(inside, writableFolders)) refuse(path, `only ${writableFolders.join(', ')} are changed`);
      if (isGuarded(inside)) refuse(path, 'it guards what agents may do, and only people change it');
      if (inside.split('/').some((name) => name.toLowerCase() === '.git' || name === 'node_modules'))
        refuse(path, 'it belongs to git or npm');
      return { path: full, isOwn: within(inside, ownFolders) && !shipped.test(inside) };
    },
  };
}

function isGuarded(inside: string): boolean {
  const source = inside.replace(/^test\//, '');
  return (
    guardedTests.some((folder) => inside.startsWith(folder)) ||
    guardedSource.some((guard) => source.startsWith(guard.replace(/\.ts$/, '')))
  );
}

function refuse(path: string, why: string): never {
  throw new PegboardError('PEG_DENIED', `${path} is not for agents: ${asSentence(why)}`);
}

/** Files of the checkout that run in place, in the host or its tests. */
export const mentionsOf = ({ root }: Project): FileMentions => ({
  texts: [],
  folders: [],
  runs: [
    'host',
    'plugins',
    'schemas',
    'test',
    'bench',
    'bin',
    'tools',
    'package.json',
    'vitest.config.ts',
  ].map((name) => join(root, name)),
});
