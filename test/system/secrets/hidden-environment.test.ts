import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboardJson } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

const secret = 'canary-Zq81-ä';

interface Called {
  readonly ok: boolean;
  readonly content: readonly { readonly text: string }[];
}

/** Everything that it can find out about its parent processes, in hexadecimal, which is not redacted. */
const look = `pid=$$; while [ "$pid" -gt 1 ]; do
  pid=$(awk '/^PPid/ { print $2 }' /proc/$pid/status)
  grep -aqs pegboard.cjs /proc/$pid/cmdline || continue
  echo "process $(tr '\\0' ' ' < /proc/$pid/cmdline)"
  for file in environ cmdline; do grep -aqs 'canary-Zq81' /proc/$pid/$file && echo "found in $file"; done
done; echo done`;

test('a command without a sandbox finds no variable of the host in the processes above it', async () => {
  await using home = await createHome({
    'look.sh': look,
    'spaces/work/agent/tools/look.md': manifest('look', 'command: bash ../../look.sh'),
  });
  const { ok, content } = await pegboardJson<Called>(['call', 'work.look'], {
    home: home.path,
    env: { SOME_API_KEY: secret, PLAIN: secret },
    apart: true,
  });
  expect(ok).toBe(true);
  expect(content[0]!.text).toMatch(/^process .*pegboard\.cjs.*\ndone/s);
  expect(content[0]!.text).not.toContain('found in');
});

test('the variables are still there for the process itself and for what it passes them on to', async () => {
  const script = `
    const before = { ...process.env };
    const hidden = require(${JSON.stringify(join(import.meta.dirname, '../../../bin/hide-environment.cjs'))})();
    const { execFileSync } = require('node:child_process');
    const inherited = execFileSync(process.execPath, ['-e', 'process.stdout.write(JSON.stringify(process.env))']).toString();
    const shown = require('node:fs').readFileSync('/proc/self/environ', 'utf8').split('\\0').filter((entry) => entry !== '');
    console.log(JSON.stringify({ hidden, before, after: process.env, inherited: JSON.parse(inherited), shown }));`;
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', KEY: secret, EMPTY: '', LINES: 'a\nb=c' };
  const child = spawn(process.execPath, ['-e', script], { env });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  const { hidden, before, after, inherited, shown } = JSON.parse(printed) as {
    readonly [name: string]: unknown;
  };
  expect(hidden).toBe(true);
  expect(before).toMatchObject(env);
  expect(after).toEqual(before);
  expect(inherited).toMatchObject(env);
  expect(shown).toEqual([`PATH=${env.PATH}`, 'LANG=C.UTF-8']);
});
