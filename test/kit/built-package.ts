import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/**
 * Commands are tested as they are published, which also starts them twice as fast as from the clone; commands that
 * documents show for a clone run in one. An environment variable can name the entry of an existing build.
 */
export default function setup(): (() => void) | undefined {
  if (process.env['PEGBOARD_TEST_ENTRY'] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-package-'));
  const built = join(folder, 'pegboard');
  execFileSync(process.execPath, [join(repository, 'tools/build.ts'), built], { stdio: 'ignore' });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  process.env['PEGBOARD_TEST_ENTRY'] = join(built, 'bin/pegboard.cjs');
  return () => rmSync(folder, { recursive: true, force: true });
}
