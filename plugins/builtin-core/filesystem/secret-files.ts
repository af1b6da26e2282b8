import { basename, relative, sep } from 'node:path';
import { PegboardError } from 'pegboard';
import type { Roots } from './roots.ts';

/** Files that hold secrets: asked about before they are read or written, and never shown in a preview. */
const secretNames =
  /^(\.env(\..+)?|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd|credentials(\.(json|ya?ml|toml|ini))?|secrets?\.(json|ya?ml|toml)|service[-_]account.*\.json|id_(rsa|dsa|ecdsa|ed25519)|.+\.(pem|key|p12|pfx|kdbx|keystore|jks))$/i;
const examples = /\.(example|sample|template|dist)$/i;
const secretFolders = /^(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store)$/i;

/** Files that decide what runs, here or in the person's shell: asked about before they are written. */
const steeringNames = /^(\.mcp\.json|\.bashrc|\.bash_profile|\.profile|\.zshrc|\.zshenv|\.envrc)$/i;
const steeringFolders = /^(\.git|\.husky)$/i;
const steeringOfHome = /^(pegboard\.yaml$|plugins\/|spaces\/[^/]+\/(space\.manifest\.json$|agent\/))/i;

/** How a file is guarded. `path` is real: symlinks are resolved. */
export interface Guard {
  /** Why a person is asked before it is read. */
  readonly read?: string;
  /** Why a person is asked before it is written. */
  readonly write?: string;
}

/** Throws PEG_DENIED for Pegboard's own data, which no file tool touches. */
export function guardOf(roots: Roots, path: string): Guard {
  const { real } = roots.home;
  const inHome = relative(real, path).split(sep).join('/');
  if (isHostData(inHome)) {
    throw new PegboardError(
      'PEG_DENIED',
      `${path} belongs to Pegboard itself (state, secrets, logs); file tools don't touch it.`,
    );
  }
  const name = basename(path);
  const folders = path.split(sep).slice(0, -1);
  if (
    (secretNames.test(name) && !examples.test(name)) ||
    folders.some((folder) => secretFolders.test(folder))
  ) {
    return { read: `${name} may hold secrets.`, write: `${name} may hold secrets.` };
  }
  const steers =
    steeringNames.test(name) ||
    steeringOfHome.test(inHome) ||
    folders.some((folder) => steeringFolders.test(folder));
  return steers ? { write: `${name} decides what will run: it is configuration, a hook or a tool.` } : {};
}

/** `inHome`: with "/", relative to the home. */
export function isHostData(inHome: string): boolean {
  return inHome === 'data' || inHome.startsWith('data/');
}
