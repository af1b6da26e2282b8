import { join } from 'node:path';
import { mayHoldSecrets } from '../files/read-boundary.ts';
import { entriesOf, maxEntries, tooMuch } from './guarded-paths.ts';

/** Locations of keys, sessions and access to other programs on Linux. They are hidden in every sandbox. */
export const systemSecretPaths = [
  '/run/user',
  '/run/dbus',
  '/run/docker.sock',
  '/run/containerd',
  '/run/podman',
  '/run/secrets',
  '/var/lib/docker',
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/sudoers',
  '/etc/sudoers.d',
];

const names = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.git-credentials',
  '.password-store',
  '.bash_history',
  '.zsh_history',
  '.node_repl_history',
  '.mozilla',
  '.claude',
  '.codex',
  '.cargo/credentials.toml',
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.config/google-chrome',
  '.config/chromium',
  '.local/share/keyrings',
  '.pegboard/data',
  'Library/Keychains',
  'Library/Cookies',
  'Library/Safari',
  'Library/Messages',
  'Library/Mail',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
];

/** The same in the home directory `folder` of a user. */
export const userSecretPaths = (folder: string): readonly string[] => names.map((name) => join(folder, name));

/** Installed packages and histories hold fixtures under such names, and no secrets of the user's. */
const notSearched = new Set(['node_modules', '.git', '.venv']);

/**
 * The files and folders in `folders` that file tools take for secrets, by the same function. Not in `apart`, where the
 * program works: what it keeps there is its own. Throws PEG_LIMIT for a folder with too many entries.
 */
export function secretFilesIn(folders: readonly string[], apart: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const folder of new Set(folders)) {
    let entries = 0;
    const waiting = apart.includes(folder) ? [] : [folder];
    for (const current of waiting) {
      for (const entry of entriesOf(current)) {
        if (++entries > maxEntries) throw tooMuch(folder);
        const path = join(current, entry.name);
        if (apart.includes(path) || notSearched.has(entry.name)) continue;
        if (mayHoldSecrets(path)) found.add(path);
        else if (entry.isDirectory()) waiting.push(path);
      }
    }
  }
  return [...found];
}
