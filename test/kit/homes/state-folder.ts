import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** All that a run of the tests approves goes into a folder of its own, and never into that of whoever runs them. */
export default function setup(): (() => void) | undefined {
  if (process.env['PEGBOARD_TEST_STATE'] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-state-'));
  process.env['PEGBOARD_TEST_STATE'] = folder;
  process.env['XDG_STATE_HOME'] = folder;
  delete process.env['PEGBOARD_TRUST_HOME'];
  return () => rmSync(folder, { recursive: true, force: true });
}
