import { basename, sep } from 'node:path';

const secretNames =
  /^(\.env(\..+)?|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd|credentials(\.(json|ya?ml|toml|ini))?|secrets?\.(json|ya?ml|toml)|service[-_]account.*\.json|id_(rsa|dsa|ecdsa|ed25519)|.+\.(pem|key|p12|pfx|kdbx|keystore|jks))$/i;
const examples = /\.(example|sample|template|dist)$/i;
const secretFolders = /^(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store)$/i;

/** Whether a file may hold secrets, by its name or a folder that it is in. */
export function mayHoldSecrets(path: string): boolean {
  const name = basename(path);
  const folders = path.split(sep).slice(0, -1);
  return (
    (secretNames.test(name) && !examples.test(name)) || folders.some((folder) => secretFolders.test(folder))
  );
}
