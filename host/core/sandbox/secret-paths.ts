import { join } from 'node:path';

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
