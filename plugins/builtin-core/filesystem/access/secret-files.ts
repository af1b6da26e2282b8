import { basename, relative, sep } from 'node:path';
import { PegboardError } from 'pegboard';
import type { Roots } from './roots.ts';

/** Files that hold secrets. Reading them needs confirmation, and they are never shown in a preview. */
const secretNames =
  /^(\.env(\..+)?|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd|credentials(\.(json|ya?ml|toml|ini))?|secrets?\.(json|ya?ml|toml)|service[-_]account.*\.json|id_(rsa|dsa|ecdsa|ed25519)|.+\.(pem|key|p12|pfx|kdbx|keystore|jks))$/i;
const examples = /\.(example|sample|template|dist)$/i;
const secretFolders = /^(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store)$/i;

/**
 * Why a person has to confirm before a file is shown, if at all. `path` is real: symlinks are resolved. Throws
 * PEG_DENIED for files of Pegboard itself, which no file tool may access.
 */
export function secretReason(roots: Roots, path: string): string | undefined {
  if (isDenied(roots, path)) {
    throw new PegboardError(
      'PEG_DENIED',
      `${path} belongs to Pegboard itself (state, secrets, approvals, logs); file tools don't touch it.`,
    );
  }
  const name = basename(path);
  const folders = path.split(sep).slice(0, -1);
  const isSecret =
    (secretNames.test(name) && !examples.test(name)) || folders.some((folder) => secretFolders.test(folder));
  return isSecret ? `${name} may hold secrets.` : undefined;
}

export function isDenied({ denied }: Roots, path: string): boolean {
  return denied.some((place) => {
    const way = relative(place, path);
    return way === '' || (way.split(sep)[0] !== '..' && !way.startsWith(sep));
  });
}
