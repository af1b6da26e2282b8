import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PegboardError } from 'pegboard';

/** The checkout that an agent may look at and change. */
export interface Project {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Throws PEG_DENIED for what is not to be read. */
  readable(path: string): string;
  /** Throws PEG_DENIED for what an agent must not change. */
  writable(path: string): string;
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
const writableFolders = ['host', 'plugins', 'spaces', 'schemas', 'test', 'bench', 'docs'];

/** What decides over what an agent may do, and the tests of that: only people change it. */
const guarded = [
  'host/dispatch/',
  'host/store/approvals.ts',
  'host/store/trust.ts',
  'host/store/secrets.ts',
  'host/store/sealed.ts',
  'host/store/questions.ts',
  'host/store/file-origins.ts',
  'host/core/foreign/',
  'host/core/processes/environment.ts',
  'host/core/sandbox/',
  'host/core/secrets/',
  'host/plugins/space-code.ts',
  'host/spaces/pinned/',
  'host/store/space-pins.ts',
  'host/plugins/trust.ts',
  'host/plugins/folder-hash.ts',
  'host/sources/manifests/command/',
  'host/sources/mcp/pins.ts',
  'host/faces/mcp-server/guard.ts',
  'plugins/builtin-self/',
  'plugins/builtin-web/addresses.ts',
  'plugins/builtin-web/fetch-public.ts',
  'plugins/builtin-core/shell/',
  'plugins/builtin-core/filesystem/roots.ts',
];

/** Undefined where there is no checkout with a history: an installed package can't change itself. */
export function openProject(root: string): Project | undefined {
  if (!existsSync(join(root, '.git'))) return undefined;
  const real = realpathSync(root);
  const place = (path: string): { readonly full: string; readonly inside: string } => {
    const full = isAbsolute(path) ? path : resolve(real, path);
    const inside = relative(real, existsSync(full) ? realpathSync(full) : full)
      .split(sep)
      .join('/');
    if (inside.startsWith('../') || isAbsolute(inside)) refuse(path, 'it lies outside the project');
    return { full: join(real, inside), inside };
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
      const guards = [
        inside,
        inside.replace(/^test\//, 'host/'),
        inside.replace(/^test\/plugins\//, 'plugins/'),
      ];
      if (
        guarded.some((guard) => guards.some((candidate) => candidate.startsWith(guard.replace(/\.ts$/, ''))))
      ) {
        refuse(path, 'it guards what agents may do, and only people change it');
      }
      return full;
    },
  };
}

function refuse(path: string, why: string): never {
  throw new PegboardError('PEG_DENIED', `${path} is not for agents: ${why}.`);
}
