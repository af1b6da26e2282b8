import { expect, test } from 'vitest';
import { readCallArguments } from '../../../host/cli/tools/call-arguments.ts';
import { toArguments } from '../../../host/cli/values.ts';
import { toJson } from '../../../host/core/documents/written-numbers.ts';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { pegboard } from '../../kit/cli.ts';
import { manifest } from '../../kit/homes/home.ts';
import { homeWithAnswers, serveRaw } from '../../kit/mcp/verbatim.ts';

const show = manifest(
  'show',
  `parameters:
  - { name: n, type: number }
  - { name: list, type: array, items: { type: number }, allowDash: true }
command: "printf '%s|' {{n}} {{list}} {{#each list}}{{this}}{{/each}}"`,
);
const anything = { name: 'any', description: 'any', inputSchema: { type: 'object', properties: {} } };
const answers = { 'tools/list': JSON.stringify({ tools: [anything] }) };

/** The number as written, and the text that our own tool's command gets; nothing where it is refused. */
const numbers: readonly (readonly [written: string, passed?: string])[] = [
  ['7', '7'],
  ['1.0', '1.0'],
  ['-0', '-0'],
  ['1e3', '1e3'],
  ['0.10', '0.10'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740992', '9007199254740992'],
  ['10000000000000000000000', '10000000000000000000000'],
  ['0.30000000000000000001', '0.30000000000000000001'],
  ['9007199254740993'],
  ['-9007199254740993'],
  ['12345678901234567890'],
  ['12345678901234567890.0'],
  ['1234567890123456789e1'],
  ['1e999'],
  ['1e-999'],
];
const reasons: { readonly [written: string]: string } = {
  '1e999': 'is too large for a number',
  '1e-999': 'is too small for a number',
};
const refusal = (written: string): string =>
  `"n" is ${written}, which ${reasons[written] ?? 'has more digits than a number can keep'}`;

test('a number of an MCP client reaches a command as it was written, or is refused by name; a server of others gets all', async () => {
  await using home = await homeWithAnswers(answers);
  await home.write('spaces/work/agent/tools/show.md', show);
  await using client = await serveRaw(home);
  const call = (name: string, args: string) =>
    client.ask('tools/call', `{"name":"${name}","arguments":${args}}`);
  for (const [written, passed] of numbers) {
    const line = await call('show', `{"n":${written},"list":[${passed ?? 1}]}`);
    const { result } = JSON.parse(line) as { result: { content: [{ text: string }] } };
    const { text } = result.content[0];
    if (passed === undefined) expect(text).toContain(refusal(written));
    else expect(text).toBe(`${passed}|${passed}|${passed}|`);
    expect(await call('up__any', `{"n":${written}}`)).toContain(`"arguments\\":{\\"n\\":${written}}`);
  }
  expect(await call('show', '{"list":[1,9007199254740993]}')).toContain('list.1');
});

test('so does one of the command line', async () => {
  await using home = await homeWithAnswers(answers);
  await home.write('spaces/work/agent/tools/show.md', show);
  const call = (...args: string[]) => pegboard(['call', ...args], { home: home.path });
  const refused = await call('show', 'n=9007199254740993');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(refusal('9007199254740993'));
  expect((await call('show', 'n=1e999')).stderr).toContain(refusal('1e999'));
  expect(await call('show', '--args', '{"n":9007199254740993}')).toMatchObject({ code: 2 });
  expect((await call('show', 'n=1.0', 'list=-0', 'list=1e3')).stdout).toContain('1.0|-0|1e3|-01e3|');
  const hex = await call('show', 'n=0x10');
  expect(hex).toMatchObject({ code: 2, stdout: '' });
  expect(hex.stderr).toContain('"n" must be of type number');
  expect((await call('up.any', 'n=9007199254740993')).stdout).toContain('"n":9007199254740993}');
});

test('words of the command line keep how their numbers are written, over --args too', async () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' }, any: {} } };
  const words = ['n=9007199254740993', 'any=1.0', 'list=[1.0]'];
  const written = '{"n":9007199254740993,"any":1.0,"list":[1.0]}';
  expect(toJson(toArguments(words, schema))).toBe(written);
  const given = '{"n":9007199254740995,"any":2.0,"more":3.0}';
  const options = { value: () => given } as never;
  expect(
    toJson(
      await readCallArguments(['any=2'], schema, {
        options,
        surroundings: { stdin: process.stdin, cwd: () => '/' },
      }),
    ),
  ).toBe('{"n":9007199254740995,"any":2,"more":3.0}');
  for (const text of ['0x10', '0b1', '1_000', '007', '+1', 'Infinity', '1e', '.5', '5.'])
    expect(toArguments([`n=${text}`], schema)).toEqual({ n: text });
});

test('a model is answered the same, also where it calls through another tool', async () => {
  const replies = numbers.map(([written]) => [
    { name: 'show', arguments: `{"n":${written}}` },
    { name: 'execute_tool', arguments: `{"name":"work.show","params":{"n":${written}}}` },
    { name: 'run_parallel', arguments: `{"calls":[{"tool":"work.show","params":{"n":${written}}}]}` },
  ]);
  let at = 0;
  await using opened = await openAgentHome(
    () => {
      const toolCalls = replies[at++];
      return toolCalls ? { toolCalls } : { text: 'Done.' };
    },
    { files: { 'spaces/work/agent/tools/show.md': show } },
  );
  const { toolCalls } = await opened.say('Show them.');
  expect(toolCalls).toHaveLength(replies.length * 3);
  for (const [index, [written, passed]] of numbers.entries())
    for (const { result } of toolCalls.slice(index * 3, index * 3 + 3))
      expect(result).toContain(passed === undefined ? refusal(written) : `${passed}|`);
});

test('what a command prints as JSON is passed on as it was written, and a single number too', async () => {
  await using home = await homeWithAnswers(answers);
  const printed = ['9007199254740993', '{"id":9007199254740993,"price":0.30000000000000000001,"one":1.0}'];
  for (const [index, text] of printed.entries())
    await home.write(
      `spaces/work/agent/tools/print${index}.md`,
      manifest(`print${index}`, `output: json\ncommand: |\n  echo '${text}'`),
    );
  const structured = async (tool: string): Promise<string> =>
    (await pegboard(['call', tool, '--json'], { home: home.path })).stdout.replaceAll(/\s/g, '');
  expect(await structured('print0')).toContain(`"structured":{"value":${printed[0]}}`);
  expect(await structured('print1')).toContain(`"structured":${printed[1]}`);
});

test('the arguments of earlier calls are shown to a model as it wrote them', async () => {
  let at = 0;
  await using opened = await openAgentHome(
    () =>
      at++ === 0
        ? { toolCalls: [{ name: 'show', arguments: '{"n":1.0,"list":[0.10]}' }] }
        : { text: 'Done.' },
    { files: { 'spaces/work/agent/tools/show.md': show } },
  );
  await opened.say('Show it.');
  await opened.say('And now?');
  expect(JSON.stringify(opened.model.requests.at(-1))).toContain('{\\"n\\":1.0,\\"list\\":[0.10]}');
});
