import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageEntry } from './cli.ts';

const repository = join(import.meta.dirname, '../..');

/** A run of all files needs the package, and no test should have to build it within its time. */
const isWhole = process.argv.slice(2).every((word) => word === 'run' || word.startsWith('-'));

/**
 * The folder that a run shares, in which `packageEntry` of cli.ts builds the package. Messages name `pegboard` as its
 * users type it: the PATH leads to it.
 */
export default function setup(): (() => void) | undefined {
  if (process.env['PEGBOARD_TEST_SHARED'] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-shared-'));
  process.env['PEGBOARD_TEST_SHARED'] = folder;
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  process.env['PATH'] = [installLauncher(folder), process.env['PATH']].join(delimiter);
  if (isWhole) packageEntry();
  return () => {
    delete process.env['PEGBOARD_TEST_SHARED'];
    rmSync(folder, { recursive: true, force: true });
  };
}

/** It names the package and the clone, from which hosts in the tests' own process run. Returns the folder for the PATH. */
function installLauncher(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const clone = join(repository, 'bin/pegboard.cjs');
  const entry = process.env['PEGBOARD_TEST_ENTRY'] ?? join(folder, 'pegboard/bin/pegboard.cjs');
  writeFileSync(
    join(bin, 'pegboard'),
    `#!/bin/sh\n[ -e '${entry}' ] || exec node '${clone}' "$@"\nexec node '${entry}' "$@"\n`,
    { mode: 0o755 },
  );
  return bin;
}
