import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/**
 * Commands are tried as they are published, which also starts them twice as fast as from the clone; those that documents
 * show for a clone run in one. Whoever has built the package already names its entry.
 */
export default function setup(): (() => void) | undefined {
  if (process.env['PEGBOARD_TEST_DOOR'] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-package-'));
  const built = join(folder, 'pegboard');
  execFileSync(process.execPath, [join(repository, 'tools/build.ts'), built], { stdio: 'ignore' });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  process.env['PEGBOARD_TEST_DOOR'] = join(built, 'bin/pegboard.cjs');
  return () => rmSync(folder, { recursive: true, force: true });
}
