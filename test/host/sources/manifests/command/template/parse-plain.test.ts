import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseHandlebars } from '../../../../../../host/sources/manifests/command/template/parse-handlebars.ts';
import { parsePlain } from '../../../../../../host/sources/manifests/command/template/parse-plain.ts';
import type {
  CommandParameter,
  TemplateNode,
} from '../../../../../../host/sources/manifests/command/template/template.ts';
import { createRandom, effort, type Random } from '../../../../../kit/data/fuzz.ts';

const declared = new Map(
  (
    [
      { name: 'x', type: 'string' },
      { name: 'xs', type: 'array' },
      { name: 'n', type: 'integer' },
      { name: 'flag', type: 'boolean' },
      { name: 'a-b', type: 'string' },
      { name: 'map', type: 'object' },
      // Handlebars' own keywords.
      { name: 'if', type: 'boolean' },
      { name: 'each', type: 'array' },
      { name: 'else', type: 'boolean' },
      { name: 'index', type: 'integer' },
      { name: 'true', type: 'boolean' },
    ] satisfies CommandParameter[]
  ).map((parameter) => [parameter.name, parameter] as const),
);

const parts = [
  '{{x}} ¦{{ n }}¦{{\tn}}¦{{x }}¦{{xs}}¦{{a-b}}¦{{else}}¦{{this}}¦{{true}}¦{{nope}}¦{{x}}{{n}}¦{{map}}¦{{if}}',
  '{{{x}}}¦{{~x}}¦{{x~}}¦{{!-- c --}}¦{{! c }}¦{{&x}}¦{{x}}}¦{{{x}}¦{{x.y}}¦{{[x]}}¦{{../x}}¦{{@index}}¦{{@last}}',
  '\\¦\\\\¦{¦}¦{{¦}}¦ ¦\n¦\r\n¦\n  ¦  \n¦\t¦"¦\'¦a¦echo ¦$¦|¦é¦\u{1f600}¦\u00A0',
  '{{#if x}}¦{{/if}}¦{{#each xs}}¦{{/each}}¦{{^}}¦{{^if x}}¦{{else if n}}¦{{#if (not x)}}¦{{#x}}¦{{/x}}¦{{> x}}',
].flatMap((list) => list.split('¦'));
const usual = ['{{x}}', '{{n}}', '{{ flag }}', ' ', ' -a ', 'echo', '\n', '"', 'é'];
const opens = ['#if x', '#if n', '#if map', '#if if', '#unless flag', '#each xs', '#each each'];
const usualInLoops = [...usual, '{{this}}', '{{@index}}', '{{@first}}'];
const opensInLoops = [...opens, '#if this', '#unless @last', '#if @index'];
const odd = [
  '#each x',
  '#if  x ',
  '# if x',
  '#if x y',
  '#if nope',
  '#if true',
  '#with x',
  '#each xs as |i|',
  '~#if x',
];

/** Nested blocks with various content around and in them: as people write it, or with oddities. */
function blocks(random: Random): string {
  const oddness = random.pick([0, 0.05, 0.3]);
  const isOdd = (): boolean => random.chance(oddness);
  const space = (): string => (isOdd() ? random.pick([' ', '\n', ' \n  ', '\r\n', '\t']) : '');
  const text = (loops: number): string => random.pick(isOdd() ? parts : loops > 0 ? usualInLoops : usual);
  const arm = (depth: number, loops: number): string => {
    const inside = random.list(0, 3, () =>
      random.chance(0.6 + depth / 10) ? text(loops) : block(depth + 1, loops),
    );
    return space() + inside.join('') + space();
  };
  const block = (depth: number, loops: number): string => {
    const start = random.pick(isOdd() ? odd : loops > 0 ? opensInLoops : opens);
    const kind = /\w+/.exec(start)![0];
    const otherwise = `{{${isOdd() ? random.pick([' else ', '^', 'else if x']) : 'else'}}}${arm(depth, loops)}`;
    const end = isOdd() ? random.pick(['', '{{/if}}', '{{/ if}}', '{{/if}}}']) : `{{/${kind}}}`;
    const body = arm(depth, loops + (kind === 'each' ? 1 : 0));
    return `${text(loops)}{{${start}}}${body}${random.chance(0.4) ? otherwise : ''}${end}${text(loops)}`;
  };
  return block(0, 0) + arm(0, 0);
}

test('whatever is read without Handlebars is read exactly as Handlebars reads it', () => {
  const random = createRandom(5005);
  const kinds: Record<TemplateNode['kind'], number> = { literal: 0, value: 0, if: 0, each: 0 };
  for (let round = 0; round < 20_000 * effort; round++) {
    const text = random.chance(0.5) ? random.list(1, 7, () => random.pick(parts)).join('') : blocks(random);
    const found = parsePlain(text, declared);
    if (found === undefined) continue;
    expect(found, `FUZZ_SEED=${random.seed} ${JSON.stringify(text)}`).toEqual(
      parseHandlebars(text, declared),
    );
    for (const { kind } of found) kinds[kind]++;
  }
  expect(Math.min(...Object.values(kinds)), JSON.stringify(kinds)).toBeGreaterThan(200 * effort);
});

test.each([
  ['conditions', 'tool {{#if flag}}-f{{else}}-x{{/if}} {{#unless n}}{{x}}{{/unless}}'],
  ['loops', 'tool {{#each xs}}{{@index}}={{this}}{{#unless @last}},{{/unless}}{{else}}none{{/each}}'],
  ['a script with conditions inside its lines', 'for x in a; do\n  echo {{#if flag}}-n{{/if}} {{x}}\ndone'],
])('%s: read without Handlebars', (_what, text) => {
  expect(parsePlain(text, declared)).toEqual(parseHandlebars(text, declared));
});

test.each([
  ['a block that has a line to itself', 'a\n{{#if x}}\nb\n{{/if}}\nc'],
  ['strip marks', 'a {{~#if x~}} b {{~/if~}} c'],
  ['a helper', '{{#if (eq x "a")}}b{{/if}}'],
])('%s is for Handlebars to read', (_what, text) => {
  expect(parsePlain(text, declared)).toBeUndefined();
});

test('a plain template is loaded without Handlebars', () => {
  const module = new URL('../../../../../../host/sources/manifests/command/load.ts', import.meta.url).href;
  const script = `const { loadCommand } = await import(${JSON.stringify(module)});
    const plain = loadCommand('tool {{#if x}}{{x}}{{/if}}', [{ name: 'x', type: 'string' }]).render({ x: '1' });
    const { default: modules } = await import('node:module');
    console.log(JSON.stringify([plain.argv, Object.keys(modules._cache).some((file) => file.includes('handlebars'))]));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual([['tool', '1'], false]);
});
