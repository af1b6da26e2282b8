import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PegboardError, type FileMentions } from 'pegboard';
import { realPathOf } from 'pegboard/files';

/** The checkout that an agent may look at and change. */
export interface Project {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Throws PEG_DENIED for what is not to be read. */
  readable(path: string): string;
  /** Throws PEG_DENIED for what an agent must not change. */
  writable(path: string): Writable;
}

interface Writable {
  /** Absolute and real. */
  readonly path: string;
  /** It is the home's own, and no part of Pegboard. */
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
/** What may be changed at all. */
export const writableFolders = ['host', 'plugins', 'spaces', 'schemas', 'test', 'bench', 'docs'];

/** Of these a question shows the place and its lines; of everything else the whole difference. */
export const ownFolders = ['docs', 'plugins', 'spaces'];
/** In `plugins`, but shipped with Pegboard and a part of it. */
const shipped = /^plugins\/builtin-/;

/** What decides over what an agent may do: only people change it, and the tests of it, which have `test/` before the same path. */
export const guardedSource = [
  'host/create-host.ts',
  'host/home-trust.ts',
  'host/compose/',
  'host/approvals/',
  'host/dispatch/',
  'host/agent/provenance.ts',
  'host/api/known-folders.ts',
  'host/core/answered-elsewhere.ts',
  'host/core/choices.ts',
  'host/core/foreign/',
  'host/core/files/guarded-names.ts',
  'host/core/files/held-folder.ts',
  'host/core/files/known-folders.ts',
  'host/core/files/named-files.ts',
  'host/core/files/state-folder.ts',
  'host/core/files/write-boundary.ts',
  'host/core/processes/',
  'host/core/sandbox/',
  'host/core/secrets/',
  'host/core/text/words-in-command.ts',
  'host/mcp-server/http/guard.ts',
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
  'plugins/builtin-self/',
  'plugins/builtin-telegram/access/',
  'plugins/builtin-telegram/asks/',
  'plugins/builtin-web/addresses.ts',
  'plugins/builtin-web/fetch-public.ts',
];
/** Tests that guard the whole, and what all tests are built with. */
export const guardedTests = ['test/fixtures/', 'test/kit/', 'test/system/'];

/** Undefined where there is no checkout with a history: an installed package can't change itself. */
export function openProject(root: string): Project | undefined {
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
  throw new PegboardError('PEG_DENIED', `${path} is not for agents: ${why}.`);
}

/** What of the checkout is run as it lies there, by the host or by its tests. */
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
