import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { door, type Reader } from '../cli.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/**
 * The tests' own user. If that is root: without root's rights, which leaves it what it owns, so that it can run a clone
 * in a folder that is closed to others; where `setpriv` can't do that, another user, if the clone is open to them.
 */
export function findReader(): Reader {
  if (!isRoot) return { prefix: [], ids: {} };
  const withoutRights = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--'];
  if (canStart([...withoutRights, process.execPath])) return { prefix: withoutRights, ids: {} };
  const ids = { uid: nobody, gid: nobody };
  if (canStart([process.execPath], ids)) return { prefix: [], ids };
  const impossible = `root may write everywhere here: setpriv can't take that right away, and ${door} is closed to others`;
  return { prefix: [], ids: {}, impossible };
}

function canStart([program = '', ...args]: readonly string[], ids: Reader['ids'] = {}): boolean {
  return spawnSync(program, [...args, door, '--version'], ids).status === 0;
}

/** What is below `path` can be read by everybody and written by no reader, until this is disposed. */
export function makeReadOnly(path: string): Disposable {
  const setMode = (folder: number, file: number): void => {
    for (const found of ['', ...globSync('**', { cwd: path })].map((name) => join(path, name)))
      chmodSync(found, statSync(found).isDirectory() ? folder : file);
  };
  setMode(0o555, 0o444);
  // An owner could take the right to write back.
  if (isRoot)
    for (const name of ['', ...globSync('**', { cwd: path })]) chownSync(join(path, name), nobody, nobody);
  return { [Symbol.dispose]: () => setMode(0o755, 0o644) };
}
