/**
 * `node bench/load.ts [RUNS] [LOAD] [-- ARGUMENTS]` (30, 15). Runs `npm test` RUNS times, with ARGUMENTS for vitest, while
 * LOAD threads keep the processors busy. Prints failed tests as they end, and of each run how many passed and failed,
 * the seconds, and the names of those that failed. The exit code is 1 after a failure.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

/** What vitest's reporter `json` writes. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const split = process.argv.indexOf('--');
const own = process.argv.slice(2, split < 0 ? undefined : split);
const [runs, load] = [own[0] ?? '30', own[1] ?? '15'].map(Number) as [number, number];
if (!(runs > 0 && load >= 0)) {
  console.error('usage: node bench/load.ts [RUNS] [LOAD] [-- ARGUMENTS]');
  process.exit(2);
}
const passedOn = split < 0 ? [] : process.argv.slice(split + 1);

const folder = mkdtempDisposableSync(join(tmpdir(), 'pegboard-load-'));
process.once('exit', () => folder.remove());
/** Threads end with this process, however that ends, and count for the system's scheduler as processes do. */
const busy = Array.from({ length: load }, () => new Worker('for (;;);', { eval: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
let failed = 0;
for (let run = 1; run <= runs; run++) {
  const began = performance.now();
  const { code, report } = await testOnce(join(folder.path, `${run}.json`));
  const seconds = Math.round((performance.now() - began) / 1_000);
  if (code !== 0) failed++;
  const counts = report
    ? `${report.numPassedTests} passed, ${report.numFailedTests} failed`
    : 'there is no report';
  console.log(`run ${run}: ${counts}, exit code ${code}, ${seconds} s`);
  for (const line of report ? failuresOf(report) : []) console.log(`  ${line}`);
}
await Promise.all(busy.map((thread) => thread.terminate()));
console.log(`${failed} of ${runs} runs failed at a load of ${load}`);
process.exitCode = failed === 0 ? 0 : 1;

async function testOnce(file: string): Promise<{ readonly code: number | null; readonly report?: Report }> {
  const args = [
    'test',
    '--',
    ...passedOn,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const options = { cwd: join(import.meta.dirname, '..'), env: { ...process.env, NO_COLOR: '1' } };
  const child = spawn('npm', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  // What fails is said at once: a run may take an hour.
  const show = (line: string): void => void (/^ *×/.test(line) && console.log(line));
  createInterface(child.stdout).on('line', show);
  const end = (): void => void child.kill();
  process.once('exit', end);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('exit', end);
  try {
    return { code, report: JSON.parse(readFileSync(file, 'utf8')) as Report };
  } catch {
    return { code };
  }
}

/** Failed tests, and files that failed as a whole. */
function failuresOf({ testResults }: Report): readonly string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName);
    if (status === 'failed' && tests.length === 0) return [`${name}: ${message.split('\n')[0]}`];
    return tests.map((test) => `${name}: ${test}`);
  });
}
