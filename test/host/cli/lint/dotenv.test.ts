import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, createUnknownHome } from '../../../kit/homes/home.ts';

interface Found {
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly code: string;
    readonly path: string;
    readonly line: number;
  }[];
}

const secret = 'q7Zt2LmX9vKd';

test.each([
  [`A=1\n${secret}\n`, ['error 2 no-variable']],
  [`A: ${secret}\n`, ['error 1 no-variable']],
  [`${secret} x=1\n`, ['error 1 bad-variable-name']],
  [`=${secret}\n`, ['error 1 bad-variable-name']],
  [`A="${secret}\nB=2\n${secret}\n`, ['error 1 unclosed-quote', 'error 3 no-variable']],
  [`A="x\ny"${secret}\nB=2\n`, ['error 2 text-after-quote']],
  [`A= \nB=${secret}\n`, ['error 1 swallowed-line']],
  [`A=x#${secret}\n`, ['warning 1 cut-by-comment']],
])('lint names the line of %j in .env, and shows nothing of it', async (text, expected) => {
  await using home = await createUnknownHome({ '.env': text });
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics.map(({ severity, line, code }) => `${severity} ${line} ${code}`)).toEqual(expected);
  expect(new Set(diagnostics.map(({ path }) => path))).toEqual(new Set(['.env']));
  const { stdout, stderr, code } = await pegboard(['lint', join(home.path, '.env')], { home: home.path });
  expect(code).toBe(expected[0]!.startsWith('error') ? 1 : 0);
  expect(stdout).toContain('.env:');
  expect(stdout + stderr).not.toContain(secret);
});

test('lint takes every other .env as it is, also one that is kept elsewhere', async () => {
  const text = [
    '# a comment',
    '',
    'A=1',
    '  export B = two words # a comment',
    'C="a # b"',
    "D='{",
    '  "e": 1',
    "}' # a comment",
    'E=',
    "F=it's",
    'G=https://example.com/?a=b',
    'H="x\\ny"\r\n',
  ].join('\n');
  await using elsewhere = await createHome({ 'secrets.env': `\uFEFF${text}` });
  await using home = await createHome();
  await symlink(join(elsewhere.path, 'secrets.env'), join(home.path, '.env'));
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics).toEqual([]);
});

test('a byte order mark is no part of the first name', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'confirm: ${WHEN}\n',
    '.env': '\uFEFFWHEN=always\n',
  });
  expect(await pegboard(['tools'], { home: home.path })).toMatchObject({ code: 0 });
});
