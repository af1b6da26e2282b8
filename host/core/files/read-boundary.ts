import { basename, sep } from 'node:path';
import type { KnownFolders } from '../../api/known-folders.ts';
import { isWithin } from './paths.ts';
import { deniedPaths } from './write-boundary.ts';

/** Whole names, as regular expressions. */
const secretPatterns: readonly string[] = [
  '\\.env(\\..+)?|\\.envrc|.+\\.env(\\..+)?',
  '\\.(netrc|npmrc|pypirc|pgpass|my\\.cnf|git-credentials|htpasswd|dockercfg|s3cfg|boto|vault-token)|_netrc',
  '(credentials?|secrets?|passwords?)(\\.(json|ya?ml|toml|ini|txt|csv))?',
  '(service[-_]account|client[-_]secret).*\\.json|kubeconfig|.+\\.kubeconfig',
  'id_(rsa|dsa|ecdsa|ed25519)(_sk)?',
  '.+\\.(pem|key|p8|p12|pfx|ppk|kdbx?|keystore|jks|keytab|ovpn|tfstate(\\.backup)?|tfvars)',
];
const secretNames = new RegExp(`^(?:${secretPatterns.join('|')})$`, 'i');
const examples = /\.(example|sample|template|dist)$/i;
const secretFolders = /^(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store)$/i;

/** What git keeps of every file that it ever had. */
const gitStores = /[^/]*\.git\/(?:.*\/)?(?:objects|lfs|rr-cache)(?:\/|$)/;

/**
 * Whether a model may see a file. `free`: it lies in a known folder. `secret`: it may hold secrets. `outside`: it lies
 * elsewhere, so that its name and place say nothing about what is in it. `denied`: it belongs to Pegboard.
 */
export type ReadClass = 'free' | 'secret' | 'outside' | 'denied';

export interface ReadJudgement {
  readonly class: ReadClass;
  /** For the question or the error, without a full stop. Empty for `free`. */
  readonly reason: string;
}

export type ReadableFolders = Pick<KnownFolders, 'home' | 'userState' | 'workspaces' | 'roots'>;

/** `path` is real: symlinks are resolved. */
export function judgeRead(path: string, folders: ReadableFolders): ReadJudgement {
  const { home, workspaces, roots } = folders;
  if (deniedPaths(folders).some((place) => isWithin(place, path)))
    return {
      class: 'denied',
      reason: `${path} belongs to Pegboard itself (state, secrets, approvals, logs)`,
    };
  if (mayHoldSecrets(path)) return { class: 'secret', reason: `${path} may hold secrets` };
  const known = [home, ...workspaces, ...roots.map((root) => root.path)];
  if (known.some((folder) => isWithin(folder, path))) return { class: 'free', reason: '' };
  return { class: 'outside', reason: `${path} lies outside of the home, the project and the listed folders` };
}

/** Whether a file may hold secrets, by its name or a folder that it is in. */
export function mayHoldSecrets(path: string): boolean {
  const name = basename(path);
  const folders = path.split(sep).slice(0, -1);
  return (
    isGitStore(path) ||
    (secretNames.test(name) && !examples.test(name)) ||
    folders.some((folder) => secretFolders.test(folder))
  );
}

/** Whether a path is a folder with what git keeps of files, or in one. */
export const isGitStore = (path: string): boolean =>
  path.includes('.git') && gitStores.test(path.split(sep).join('/'));
