import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Approvals of a test run go into a folder of their own, never into that of the user who runs the tests. */
export default function setup(): (() => void) | undefined {
  if (process.env['PEGBOARD_TEST_STATE'] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-state-'));
  process.env['PEGBOARD_TEST_STATE'] = folder;
  process.env['XDG_STATE_HOME'] = folder;
  delete process.env['PEGBOARD_TRUST_HOME'];
  return () => rmSync(folder, { recursive: true, force: true });
}
