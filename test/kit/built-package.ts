import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/**
 * Commands are tested as they are published, which also starts them twice as fast as from the clone; commands that
 * documents show for a clone run in one. An environment variable can name the entry of an existing build. Messages name
 * `pegboard` as its users type it: the PATH leads to it.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-package-'));
  mkdirSync((process.env['PEGBOARD_TEST_SHARED'] = join(folder, 'shared')));
  const entry = (process.env['PEGBOARD_TEST_ENTRY'] ??= build(folder));
  process.env['PATH'] = [installLauncher(folder, entry), process.env['PATH']].join(delimiter);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Returns the path of the entry point. */
function build(folder: string): string {
  const built = join(folder, 'pegboard');
  execFileSync(process.execPath, [join(repository, 'tools/build.ts'), built], { stdio: 'ignore' });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return join(built, 'bin/pegboard.cjs');
}

/** `pegboard` for both, since hosts in the tests' own process run from the clone. Returns the folder for the PATH. */
function installLauncher(folder: string, entry: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const clone = join(repository, 'bin/pegboard.cjs');
  writeFileSync(
    join(bin, 'pegboard'),
    `#!/bin/sh\n[ -n "$PEGBOARD_TEST_CLONE" ] && exec node '${clone}' "$@"\nexec node '${entry}' "$@"\n`,
    { mode: 0o755 },
  );
  return bin;
}
