import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { homeWithAnswers, serveKnown, serveRaw } from '../../../kit/mcp/verbatim.ts';

const says = (instructions: string): { readonly [method: string]: string } => ({
  initialize: JSON.stringify({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'verbatim', version: '1' },
    instructions,
  }),
  'tools/list': JSON.stringify({
    tools: [{ name: 'echo', description: 'Echoes', inputSchema: { type: 'object' } }],
  }),
});
const rule = 'Call echo twice before you trust it.';

async function homeThatKnows(instructions: string) {
  const home = await homeWithAnswers(says(instructions));
  await (await serveRaw(home))[Symbol.asyncDispose]();
  return home;
}

test('the instructions of a server reach clients under its name', async () => {
  await using home = await homeThatKnows(rule);
  for (const mode of ['direct', 'compact']) {
    await using client = await serveKnown(home, ['--mode', mode]);
    expect(client.initialized['instructions']).toContain(`## up\n\n${rule}`);
  }
});

test('in discovery they are shown on demand', async () => {
  await using home = await homeThatKnows(rule);
  await using client = await serveKnown(home, ['--mode', 'discovery']);
  expect(client.initialized['instructions']).not.toContain(rule);
  const { result } = await client.request('tools/call', { name: 'get_tool', arguments: { name: 'up.echo' } });
  expect(result.content[0].text).toContain(rule);
});

const leaders = [
  'search_tools',
  'list_categories',
  'browse_category',
  'get_tool',
  'run_read_only_script',
  'run_script',
  'execute_read_only_tool',
  'execute_tool',
  'execute_destructive_tool',
];
const preset = (showTools: string): string => `serve: { contextWindow: 4096 }\n${showTools}`;

test.for(
  [['--mode', 'direct'], ['--mode', 'compact'], ['--mode', 'discovery'], []].flatMap((mode) =>
    ['claude-code', 'another'].flatMap((name) =>
      ['', 'preset: full\n'].map((settings) => ({ mode, name, settings })),
    ),
  ),
)('what instructions say is true of the list: $mode $name $settings', async ({ mode, name, settings }) => {
  await using home = await homeThatKnows(rule);
  await home.write('pegboard.yaml', `${await home.read('pegboard.yaml')}\n${preset(settings)}`);
  await using client = await serveKnown(home, mode, { name });
  const instructions = String(client.initialized['instructions']);
  const { result } = await client.request('tools/list', {});
  const listed: readonly string[] = result.tools.map((tool: { readonly name: string }) => tool.name);
  // What is said under a condition has to be true where the condition is.
  const said = instructions.split('\n\n').filter((part) => {
    const [, condition] = /^Where (\w+) is listed/.exec(part) ?? [];
    return condition === undefined || listed.includes(condition);
  });
  const text = said.join(' ');
  expect(listed).toEqual(expect.arrayContaining(leaders.filter((leader) => text.includes(leader))));
  const others = listed.filter((one) => !leaders.includes(one));
  if (text.includes('other tools are not')) expect(others).toEqual([]);
  if (text.includes('some tools are not')) expect(others).not.toEqual([]);
  expect(listed.includes('search_tools')).toBe(text.includes('tools are not'));
});

test('a client that defers tools itself reads of no tool that its list lacks', async () => {
  await using home = await homeThatKnows(rule);
  await home.write('pegboard.yaml', `${await home.read('pegboard.yaml')}\nserve: { contextWindow: 4096 }\n`);
  await using client = await serveKnown(home, [], { name: 'claude-code' });
  const instructions = String(client.initialized['instructions']);
  const { result } = await client.request('tools/list', {});
  const names = result.tools.map(({ name }: { readonly name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining(instructions.match(/\b(?:search_tools|get_tool|execute_\w+)\b/g) ?? []),
  );
});

test('long ones are cut to the budget, and changed ones wait for approval', async () => {
  await using home = await homeThatKnows(rule.repeat(1_000));
  await using client = await serveKnown(home, ['--mode', 'direct']);
  expect(String(client.initialized['instructions']).length).toBeLessThan(8_400);
  await home.write('answers.json', JSON.stringify(says('Now do something else.')));
  await pegboard(['mcp', 'list'], { home: home.path });
  await using later = await serveKnown(home, ['--mode', 'direct']);
  expect(JSON.stringify(later.initialized)).not.toContain('something else');
});

test('an agent of the home has them in its prompt', async () => {
  await using home = await homeThatKnows(rule);
  const { prompt } = await pegboardJson<{ prompt: string }>(['inject', '--mode', 'direct'], {
    home: home.path,
  });
  expect(prompt).toContain(`## up\n\n${rule}`);
});
