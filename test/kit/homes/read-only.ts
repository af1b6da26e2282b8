import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageEntry, type Reader } from '../cli.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/**
 * The user of the tests. For root, the same user without root's capabilities, which keeps access to its own files, so
 * that a clone in a private folder can run; where `setpriv` can't do that, another user, if the clone is readable by
 * them.
 */
export function findReader(): Reader {
  if (!isRoot) return { prefix: [], ids: {} };
  const withoutRights = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--'];
  if (canStart([...withoutRights, process.execPath])) return { prefix: withoutRights, ids: {} };
  const ids = { uid: nobody, gid: nobody };
  if (canStart([process.execPath], ids)) return { prefix: [], ids };
  const impossible = `root may write everywhere here: setpriv can't take that right away, and ${packageEntry()} is closed to others`;
  return { prefix: [], ids: {}, impossible };
}

function canStart([program = '', ...args]: readonly string[], ids: Reader['ids'] = {}): boolean {
  return spawnSync(program, [...args, packageEntry(), '--version'], ids).status === 0;
}

/** Makes everything below `path` readable by everybody and not writable by readers, until disposed. */
export function makeReadOnly(path: string): Disposable {
  const setMode = (folder: number, file: number): void => {
    for (const found of ['', ...globSync('**', { cwd: path })].map((name) => join(path, name)))
      chmodSync(found, statSync(found).isDirectory() ? folder : file);
  };
  setMode(0o555, 0o444);
  // An owner could restore the write permission.
  if (isRoot)
    for (const name of ['', ...globSync('**', { cwd: path })]) chownSync(join(path, name), nobody, nobody);
  return { [Symbol.dispose]: () => setMode(0o755, 0o644) };
}
