import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Question } from '../../../host/api/ask.ts';
import { openPluginHome } from '../../kit/homes/plugin-home.ts';

const root = join(import.meta.dirname, '../../..');

/** What is filled in before a full stop and may end with one itself: an error's message, or a reason of no table. */
const unsure =
  /^(?!reasons\[).*(?:\b(?:message|reason|why|problem)\b|(?:[mM]essage|[rR]eason|[pP]roblem)Of\(|InWords\()/;

test("no text puts a full stop behind an error's message or a reason, which may have its own: asSentence does", () => {
  const found = globSync(['host/**/*.ts', 'plugins/**/*.ts'], { cwd: root }).flatMap((path) => {
    const code = readFileSync(join(root, path), 'utf8');
    return [...code.matchAll(/\$\{((?:[^{}`]|\{[^{}]*\})+)\}\.(?=[ `'"\\]|$)/gm)].flatMap(([text, filled]) =>
      unsure.test(filled!) ? [`${path}: ${text}`] : [],
    );
  });
  expect(found).toEqual([]);
});

const calls: readonly (readonly [tool: string, args: object])[] = [
  ['bash', { command: 'ls' }],
  ['bash', { command: 'cat .env' }],
  ['bash', { command: 'cat .env; rm -rf notes; git push -f' }],
  ['bash', { command: 'cat sub/../.env > spaces/a/agent/tools/x.md' }],
  ['read', { path: '.env' }],
  ['write', { path: 'pegboard.yaml', content: '{}' }],
  ['write', { path: 'notes/a.md', content: 'x' }],
  ['edit', { path: '.env', old_string: 'A=1', new_string: 'A=2' }],
  ['secret_store', { name: 'A_KEY', value: 'x' }],
  ['identity_update', { file: 'SOUL.md', content: 'x' }],
];

const twoStops = /[\p{L}\p{N})"'`][.?!]\.(?=\s|$)/u;

test('no question, and no refusal where nobody is asked, ends a sentence twice', async () => {
  await using home = await openPluginHome({ files: { '.env': 'A=1', 'notes/a.md': 'one', 'sub/x': '' } });
  const texts: string[] = [];
  const ask = async ({ message, notes = [] }: Question): Promise<{ readonly action: 'decline' }> => {
    texts.push([message, ...notes].join('\n'));
    return { action: 'decline' };
  };
  for (const [tool, args] of calls) {
    await home.call(tool, args, { ask });
    texts.push((await home.call(tool, args)).error?.message ?? '');
  }
  expect(texts.filter((text) => text.includes('may hold secrets')).length).toBeGreaterThan(3);
  expect(texts.filter((text) => twoStops.test(text))).toEqual([]);
});
