import { expect, test } from 'vitest';
import { loadCommand, type LoadedCommand } from '../../../../../host/sources/manifests/command/load.ts';
import type { CommandParameter } from '../../../../../host/sources/manifests/command/template/template.ts';
import { exactCase, parameters as fuzzed } from './fuzz/exact-cases.ts';
import { openExecutor } from './fuzz/execute.ts';
import { createRandom, effort } from '../../../../kit/data/fuzz.ts';

const parameters: readonly CommandParameter[] = [
  { name: 'x', type: 'string' },
  { name: 'y', type: 'string' },
  { name: 'xs', type: 'array' },
  { name: 'modes', type: 'array', enum: ['fast', 'slow'] },
  { name: 'n', type: 'integer' },
  { name: 'ratio', type: 'number' },
  { name: 'flag', type: 'boolean' },
  { name: 'mode', type: 'string', enum: ['fast', 'slow'] },
  { name: 'numbers', type: 'array', items: { type: 'number' } },
  { name: 'integers', type: 'array', items: { type: 'integer' } },
  { name: 'styles', type: 'array', items: { type: 'string', enum: ['-l', '-a'] } },
  { name: 'style', type: 'string', enum: ['-l', '-a'] },
  { name: 'dash', type: 'string', allowDash: true },
];
const load = async (template: string): Promise<LoadedCommand> => loadCommand(template, parameters);
const argvOf = async (template: string, args: object): Promise<readonly string[]> =>
  (await load(template)).render({ ...args }).argv;
const displayOf = async (template: string, x: string): Promise<string> =>
  (await load(template)).render({ x }).display;
const refusalOf = async (template: string, args: object): Promise<unknown> => {
  const command = await load(template);
  try {
    return command.render({ ...args });
  } catch (refusal) {
    return refusal;
  }
};

test('a command without shell syntax starts no shell', async () => {
  expect(
    await argvOf('git log -n {{n}} --author="{{x}} <a@b>" -- {{xs}}', { n: 3, x: 'A "B"', xs: ['a b', ''] }),
  ).toEqual(['git', 'log', '-n', '3', '--author=A "B" <a@b>', '--', 'a b', '']);
});

test('the script that a shell reads holds no byte of any value', async () => {
  const argv = await argvOf(`echo {{x}} "{{y}}" '{{x}}' | cat <<EOF\n{{y}}\nEOF\n`, {
    x: 'SECRET1',
    y: 'SECRET2',
  });
  expect(argv.slice(0, 5)).toEqual(['bash', '--noprofile', '--norc', '-c', '--']);
  expect(argv[5]).not.toMatch(/SECRET/);
  expect(argv.slice(6)).toEqual(['pegboard', 'SECRET1', 'SECRET2']);
});

test('an absent parameter gives no word, an empty text an empty argument', async () => {
  expect(await argvOf('tool {{x}} {{y}} {{xs}} end', { y: '' })).toEqual(['tool', '', 'end']);
  expect(await argvOf('tool "{{x}}" a{{x}} {{x}}', {})).toEqual(['tool', '', 'a']);
  expect(await argvOf('tool {{x}}', { x: null })).toEqual(['tool']);
});

test('false, zero, the empty text and the empty array count as no', async () => {
  const template = 'tool {{#if x}}x{{/if}} {{#if n}}n{{/if}} {{#if flag}}f{{/if}} {{#if xs}}xs{{/if}} end';
  expect(await argvOf(template, { x: '', n: 0, flag: false, xs: [] })).toEqual(['tool', 'end']);
  expect(await argvOf(template, { x: '0', n: 1, flag: true, xs: [''] })).toEqual([
    'tool',
    'x',
    'n',
    'f',
    'xs',
    'end',
  ]);
});

test('conditions compare and negate', async () => {
  const template = 'tool {{#if (eq mode "fast")}}-f{{else if (not flag)}}-s{{else}}-x{{/if}}';
  expect(await argvOf(template, { mode: 'fast' })).toEqual(['tool', '-f']);
  expect(await argvOf(template, { mode: 'slow' })).toEqual(['tool', '-s']);
  expect(await argvOf(template, { mode: 'slow', flag: true })).toEqual(['tool', '-x']);
});

test('each gives items, positions and an else for none', async () => {
  const template =
    'tool {{#each xs as |item i|}}{{i}}{{@index}}={{item}}{{#if @last}}! {{else}}, {{/if}}{{else}}none{{/each}}';
  expect(await argvOf(template, { xs: ['a b', 'c'] })).toEqual(['tool', '00=a b,', '11=c!']);
  expect(await argvOf(template, {})).toEqual(['tool', 'none']);
  expect(await argvOf('tool {{#each modes}}--{{this}} {{/each}}', { modes: ['slow', 'fast'] })).toEqual([
    'tool',
    '--slow',
    '--fast',
  ]);
});

test('a value that begins with a dash is refused where it could be an option', async () => {
  expect(await refusalOf('ls {{x}}', { x: '-la' })).toMatchObject({
    code: 'option-injection',
    line: 1,
    column: 4,
    message: expect.stringContaining('write "--" before {{x}}'),
  });
  expect(await refusalOf('ls {{x}}{{y}}', { x: '', y: '-la' })).toMatchObject({ code: 'option-injection' });
  expect(await refusalOf('ls "{{x}}"', { x: '--all' })).toMatchObject({ code: 'option-injection' });
  expect(await refusalOf('ls {{xs}}', { xs: ['a', '-la'] })).toMatchObject({ code: 'option-injection' });
  expect(await refusalOf('true | ls {{x}}', { x: '-' })).toMatchObject({ code: 'option-injection' });
  expect(await argvOf('ls -- {{x}}', { x: '-la' })).toEqual(['ls', '--', '-la']);
  expect(await argvOf('ls {{dash}}', { dash: '-la' })).toEqual(['ls', '-la']);
  expect(await argvOf('ls --sort={{x}}', { x: '-la' })).toEqual(['ls', '--sort=-la']);
  expect(await argvOf('head {{n}}', { n: -5 })).toEqual(['head', '-5']);
});

test('numbers and choices may begin with a dash, also as items of an array', async () => {
  expect(await argvOf('sum {{numbers}}', { numbers: [-1, 2.5] })).toEqual(['sum', '-1', '2.5']);
  expect(await argvOf('sum {{integers}}', { integers: [-1, 2] })).toEqual(['sum', '-1', '2']);
  expect(await argvOf('sum {{#each numbers}}{{this}} {{/each}}', { numbers: [-1] })).toEqual(['sum', '-1']);
  expect(await argvOf('ls {{style}}', { style: '-a' })).toEqual(['ls', '-a']);
  expect(await argvOf('ls {{styles}}', { styles: ['-a', '-l'] })).toEqual(['ls', '-a', '-l']);
  expect(await refusalOf('sum {{numbers}}', { numbers: ['-x'] })).toMatchObject({ code: 'bad-value' });
  expect(await refusalOf('sum {{integers}}', { integers: [-1.5] })).toMatchObject({ code: 'bad-value' });
  expect(await refusalOf('ls {{styles}}', { styles: ['-R'] })).toMatchObject({ code: 'not-in-enum' });
});

test.each([
  ['tool {{x}}', { x: 'a\0b' }, 'nul-byte'],
  ['tool {{xs}}', { xs: ['a', 'b\0'] }, 'nul-byte'],
  ['tool {{x}}', { x: '\ud800' }, 'lone-surrogate'],
  ['tool {{x}}', { x: 'é'.repeat(70_000) }, 'argument-too-long'],
  ['tool "{{x}}{{y}}"', { x: 'a'.repeat(70_000), y: 'b'.repeat(70_000) }, 'argument-too-long'],
  ['tool {{x}}', { x: { a: 1 } }, 'bad-value'],
  ['tool {{x}}', { x: ['a'] }, 'bad-value'],
  ['tool {{n}}', { n: '5; ls' }, 'bad-value'],
  ['tool {{n}}', { n: 1.5 }, 'bad-value'],
  ['tool {{ratio}}', { ratio: Number.NaN }, 'bad-value'],
  ['tool {{flag}}', { flag: 'true' }, 'bad-value'],
  ['tool {{mode}}', { mode: 'other' }, 'not-in-enum'],
  ['tool {{modes}}', { modes: ['fast', 'other'] }, 'not-in-enum'],
  ['tool {{xs}}', { xs: 'text' }, 'bad-value'],
  ['tool {{xs}}', { xs: [['nested']] }, 'bad-value'],
  ['tool {{xs}}', { xs: Array<string>(2_001).fill('x') }, 'render-too-large'],
  [
    'tool {{#each xs}}{{#each xs}}{{#each xs}}.{{/each}}{{/each}}{{/each}}',
    { xs: Array<string>(100).fill('x') },
    'render-too-large',
  ],
  ['tool > {{x}}', { x: '/etc/passwd' }, 'path-in-redirection'],
  ['tool > {{x}}', { x: '..' }, 'path-in-redirection'],
  ['tool > out-{{x}}', { x: '../up' }, 'path-in-redirection'],
  ['tool > {{x}}', {}, 'missing-redirect-target'],
  ['{{mode}} {{x}}', { x: 'ls' }, 'value-in-command-position'],
] as const)('%s with values that it cannot take is refused: %j, %s', async (template, args, code) => {
  expect(await refusalOf(template, args)).toMatchObject({ name: 'TemplateRefusal', code });
});

test('the preview, run by bash, gives the very same arguments', { timeout: 60_000 }, async () => {
  const random = createRandom(4004);
  await using executor = openExecutor();
  const cases = Array.from({ length: 400 * effort }, () => exactCase(random, 'argv'));
  await executor.forEach(cases, async ({ template, args, expected }) => {
    const { display } = (await loadCommand(template, fuzzed)).render(args);
    const { stdout, stderr } = await executor.execute({
      argv: ['bash', '--norc', '-c', display],
      cwd: '/',
      environment: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    });
    const where = `FUZZ_SEED=${random.seed}\n${template}\n${JSON.stringify(args)}\n${display}\n${stderr}`;
    expect(Buffer.from(stdout).toString(), where).toBe(expected);
    expect(display, where).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

test('the preview keeps quotes that stand in the template, and shows what would be invisible', async () => {
  expect(await displayOf('bash scripts/deploy.sh {{x}}', 'main')).toBe('bash scripts/deploy.sh main');
  expect(await displayOf('tool {{x}}', "it's")).toBe(`tool 'it'\\''s'`);
  expect(await displayOf('tool "hi {{x}}" | cat', 'a "b" $c')).toBe('tool "hi a \\"b\\" \\$c" | cat');
  expect(await displayOf("tool 'hi {{x}}'", "it's")).toBe(`tool 'hi it'\\''s'`);
  expect(await displayOf('tool {{x}}', 'a\n\u202e\u200bb')).toBe("tool $'a\\n\\u202e\\u200bb'");
  expect(await displayOf('a\nb {{x}}', '')).toBe("a\nb ''");
});
