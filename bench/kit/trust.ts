import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

let state: string | undefined;

/** Trusts a home in this process and its children; nothing is stored in the user's own state. */
export function trustHome(folder: string): void {
  if (state === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'pegboard-bench-state-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    process.env['XDG_STATE_HOME'] = state = made;
  }
  process.env['PEGBOARD_TRUST_HOME'] = [process.env['PEGBOARD_TRUST_HOME'], folder]
    .filter(Boolean)
    .join(delimiter);
}
