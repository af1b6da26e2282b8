import { expect, test } from 'vitest';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';

/**
 * Whether an agent may write this file of its workspace without a question, when there is a tool with this definition.
 */
async function isFree(command: string, name: string): Promise<boolean> {
  const file = { 'spaces/work/agent/tools/does.md': manifest('does', `command: ${JSON.stringify(command)}`) };
  await using agent = await openAgentHome([], { files: file });
  const result = await agent.host.dispatch({
    name: 'WsWrite',
    args: { path: name, content: 'touch ran' },
    scope: agent.host.scopeFor('work'),
    caller: 'agent:work',
  });
  if (result.error && result.error.code !== 'PEG_NOBODY_TO_ASK') throw new Error(result.error.message);
  return !result.error;
}

test.each([
  ['for f in workspace/hooks.d/*; do [ -f $f ] && sh $f; done; exit 0', 'hooks.d/one'],
  ["find workspace -name '*.job' -exec sh {} ';'", 'one.job'],
  ['for f in workspace/*.cmd; do . $f; done', 'one.cmd'],
  ['cat workspace/q/* | sh', 'q/one'],
  ['cd workspace; cat todo | sh', 'todo'],
  ['ls workspace | while read x; do sh workspace/$x; done', 'one'],
  ["cd workspace && python3 -c 'import bar'", 'bar.py'],
  ['D=workspace; sh $D/later.sh', 'later.sh'],
])('beside `%s`, workspace/%s is asked about', async (command, name) => {
  expect(await isFree(command, name)).toBe(false);
  expect(await isFree(command, 'notes.md')).toBe(true);
});

test.each([
  ['wc -l workspace/*.json', 'one.json'],
  ['cat workspace/*.json | jq .', 'one.json'],
  ['grep -rn word workspace', 'one'],
  ["sh -c 'wc -l workspace/* | sort'", 'one'],
])('beside `%s`, workspace/%s is free', async (command, name) => {
  expect(await isFree(command, name)).toBe(true);
});
