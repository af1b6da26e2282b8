/** `node bench/run.ts [SECTION…] [--write]`: measures Pegboard next to the same thing done directly. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clone } from './kit/installation.ts';
import { toReport } from './kit/report.ts';
import { isMet, type Row, type Section } from './kit/section.ts';
import { toText } from './kit/table.ts';
import { chat } from './sections/chat.ts';
import { dispatch } from './sections/dispatch.ts';
import { engine } from './sections/engine.ts';
import { memory } from './sections/memory.ts';
import { page } from './sections/page.ts';
import { pluginReload } from './sections/plugin-reload.ts';
import { proxyBridge, proxyHttp, proxyStdio } from './sections/proxy.ts';
import { readiness } from './sections/readiness.ts';
import { recall } from './sections/recall.ts';
import { recovery } from './sections/recovery.ts';
import { registration } from './sections/registration.ts';
import { reload } from './sections/reload.ts';
import { scripts } from './sections/scripts.ts';
import { start } from './sections/start.ts';
import { watching } from './sections/watching.ts';

const sections: readonly Section[] = [
  start,
  chat,
  dispatch,
  registration,
  reload,
  watching,
  pluginReload,
  proxyHttp,
  proxyBridge,
  proxyStdio,
  memory,
  recall,
  readiness,
  recovery,
  engine,
  page,
  scripts,
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' } },
});
const names = sections.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0 || (values.write && positionals.length > 0)) {
  console.error(
    unknown.length > 0
      ? `There is no section ${unknown.join(', ')}: there are ${names.join(', ')}.`
      : '--write creates docs/benchmarks.md from all sections, so it takes no names.',
  );
  process.exit(2);
}

const measured: (readonly [Section, readonly Row[]])[] = [];
for (const section of sections) {
  if (positionals.length > 0 && !positionals.includes(section.name)) continue;
  const rows = await section.measure();
  measured.push([section, rows]);
  console.log(`${toText(section, rows)}\n`);
}

const targets = measured.flatMap(([, rows]) =>
  rows.flatMap((row) => (row.target ? [isMet(row, row.target)] : [])),
);
console.log(`${targets.filter(Boolean).length} of ${targets.length} targets met`);
if (values.write) writeFileSync(join(clone, 'docs/benchmarks.md'), toReport(measured));
