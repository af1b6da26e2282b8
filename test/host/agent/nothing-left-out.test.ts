import { expect, test } from 'vitest';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';

const files = {
  'spaces/s/agent/agent.yaml': 'id: s\nname: s\nrole: coordinator\nbrain: { native_tool_use: false }\n',
  'spaces/s/agent/tools/wipe.md': manifest(
    'wipe',
    'parameters: [{ name: only, type: string, description: What }]\ncommand: echo wiped {{only}} >> wiped.txt',
  ),
};

const written = [
  ['{"name": "wipe", "only": "tmp"}', 'wiped tmp\n', 'wiped'],
  ['{"name": "wipe", "arguments": {}, "only": "tmp"}', undefined, '"only" is outside its arguments'],
  ['{"name": "wipe", "arguments": ["tmp"]}', undefined, 'its arguments are a list'],
  ['{"name": "wipe", "arguments": {}} only tmp', undefined, '"only tmp" follows its arguments'],
  ['{"name": "wipe", "arguments": {"only": "tmp", "only": ""}}', undefined, '"only" is given twice'],
  [
    '{"name": "wipe", "arguments": {"only": 3.14159265358979323846}}',
    undefined,
    '3.14159265358979323846 has',
  ],
  ['{"name": "wipe", "arguments": {"only": "2.50"}}', 'wiped 2.50\n', 'wiped'],
] as const;

test.for(written)('a model that writes %s wipes no more than it said', async ([call, wiped, told]) => {
  const script = [{ text: `<tool_call>\n${call}\n</tool_call>` }, { text: 'done' }];
  await using agent = await openAgentHome(script, { files });
  await agent.say('Wipe tmp', { agent: 's' });
  const file = agent.home.read('spaces/s/wiped.txt').catch(() => undefined);
  expect(await file).toBe(wiped);
  if (wiped === undefined)
    expect(JSON.stringify(agent.model.requests[1]!.messages)).toContain(
      JSON.stringify(told).slice(1, -1).slice(0, 20),
    );
});
