import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastLines } from '../../../../host/core/text/last-lines.ts';
import { createHomeLogger, logFileOf, silentLogger } from '../../../../host/core/log.ts';
import { auditFileOf, createAudit, type AuditLine } from '../../../../host/store/audit.ts';
import { createHome } from '../../../kit/homes/home.ts';

const line = (at: number): AuditLine =>
  ({
    at: new Date(at).toISOString(),
    tool: 'a.b',
    caller: 'cli',
    outcome: 'ok',
    ms: at,
    tokens: 0,
  }) as AuditLine;

test('the audit takes a limited room on disk, and its last lines are found wherever they are', async () => {
  await using home = await createHome();
  const limits = { maxBytes: 2_000, maxFiles: 2 };
  for (let at = 0; at < 120; at++) {
    using audit = createAudit(home.path, silentLogger, limits);
    audit.record(line(at));
  }
  const folder = join(home.path, 'data/logs');
  const files = (await readdir(folder)).toSorted();
  expect(files).toEqual(['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2']);
  for (const file of files) {
    const { size, mode } = await stat(join(folder, file));
    expect(size).toBeLessThan(2_000 + 200);
    expect(mode & 0o777).toBe(0o600);
  }
  const shown = lastLines(auditFileOf(home.path), 40, () => true).map(
    (text) => (JSON.parse(text) as AuditLine).ms,
  );
  expect(shown).toEqual(Array.from({ length: 40 }, (_, at) => 80 + at));
  const wanted = lastLines(auditFileOf(home.path), 1, (text) => text.includes('"ms":91,'));
  expect(wanted).toHaveLength(1);
});

test('the log takes a limited room on disk', async () => {
  await using home = await createHome();
  for (let at = 0; at < 50; at++) {
    using log = createHomeLogger(home.path, (text) => text, { maxBytes: 1_000, maxFiles: 1 });
    log.warn(`this is message number ${at}`);
  }
  const files = await readdir(join(home.path, 'data/logs'));
  expect(files.toSorted()).toEqual(['host.log', 'host.log.1']);
  expect(lastLines(logFileOf(home.path), 1, () => true)[0]).toContain('number 49');
});

test('several processes that rotate at once lose no line but the oldest', async () => {
  await using home = await createHome();
  const path = join(home.path, 'shared.log');
  const module = join(import.meta.dirname, '../../../../host/core/files/rotating-file.ts');
  const script = `
    const [path, home, name] = process.argv.slice(1);
    const { openRotatingFile } = await import(${JSON.stringify(module)});
    using file = openRotatingFile({ path, home, maxBytes: 3_000, maxFiles: 50 });
    for (let at = 0; at < 250; at++) {
      file.append(\`\${name} \${at}\\n\`);
      if (at % 5 === 0) await new Promise(setImmediate);
    }`;
  const writers = Array.from({ length: 4 }, (_, name) =>
    once(
      spawn(process.execPath, ['--input-type=module', '-e', script, path, home.path, `writer ${name}`]),
      'exit',
    ),
  );
  expect((await Promise.all(writers)).map(([code]) => code as number)).toEqual([0, 0, 0, 0]);
  const all = lastLines(path, 2_000, () => true);
  expect(new Set(all).size).toBe(1_000);
  expect((await readdir(home.path)).filter((file) => file.endsWith('.rotating'))).toEqual([]);
});
