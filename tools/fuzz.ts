/** `node tools/fuzz.ts [EFFORT]`: every test with random inputs, EFFORT (20) times as long as in test:all. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const effort = Number(process.argv[2] ?? 20);
if (!(effort > 0)) {
  console.error('usage: npm run fuzz [-- EFFORT]');
  process.exit(2);
}
const tests = [
  'test/system/fuzz',
  'test/host/sources/manifests/command/exact-bytes.test.ts',
  'test/host/sources/manifests/command/hostile-and-harmless.test.ts',
  'test/plugins/builtin-telegram/outgoing/markdown.test.ts',
  'test/system/provenance/obedience.test.ts',
];
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout=7200000', ...tests],
  { cwd: root, stdio: 'inherit', env: { ...process.env, FUZZ_EFFORT: String(effort) } },
);
process.exitCode = status ?? 1;
