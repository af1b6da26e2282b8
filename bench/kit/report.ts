import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { clone } from './installation.ts';
import type { Row, Section } from './section.ts';
import { toMarkdown } from './table.ts';

/** docs/benchmarks.md: the figures of this run, how they were measured, and how to reproduce them. */
export function toReport(measured: readonly (readonly [Section, readonly Row[]])[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: clone,
    encoding: 'utf8',
  }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const memory = Math.round(totalmem() / 2 ** 30);
  const busy = loadavg()[2]!.toFixed(1);
  return `# Benchmarks

\`npm run bench\` prints these tables; \`npm run bench -- proxy-http start\` only those sections; \`npm run bench -- --write\`
measures everything and writes this page. Every figure of Pegboard is next to the same thing done without it, measured
alternately in the same run: the ratios say more than the milliseconds. Each section explains what "direct" means.

Measured on ${date} at commit ${commit}: Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model.trim()}),
${memory} GB; load average over the last quarter of an hour ${busy}, which includes the benchmark itself. Pegboard is the built
package unless a line says "clone".

${measured.map(([section, rows]) => toMarkdown(section, rows)).join('\n')}`;
}
