import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openTestHost, type ScriptedRequest } from '../../../host/testing/index.ts';
import { manifest } from '../../kit/homes/home.ts';

const files = {
  'spaces/s/agent/tools/hi.md': manifest('hi', 'confirm: true\ncommand: echo hi there'),
};

test("an agent's turn runs as the script says, and what it was sent is there to look at", async () => {
  await using host = await openTestHost({
    files,
    model: [{ toolCalls: [{ name: 'hi', arguments: {} }] }, { text: 'done' }],
  });
  const events: string[] = [];
  const reply = await host.say('Say hi', {
    ask: () => Promise.resolve({ action: 'accept' }),
    onEvent: ({ type }) => events.push(type),
  });
  expect(reply).toMatchObject({
    text: 'done',
    toolCalls: [{ tool: 's.hi', ok: true, result: 'hi there\n' }],
  });
  expect(events).toContain('tool_end');
  expect(host.model.requests).toHaveLength(2);
  expect(host.model.requests[1]!.messages.at(-1)).toMatchObject({ role: 'tool', content: 'hi there\n' });
  expect(host.model.refusals).toEqual([]);
});

test('a script can be a function of what is asked, and fail as servers do', async () => {
  const seen: ScriptedRequest[] = [];
  await using host = await openTestHost({
    model: (request, index) => {
      seen.push(request);
      return index === 0 ? { text: `${request.messages.length} messages` } : { faults: { status: 401 } };
    },
  });
  expect((await host.say('One')).text).toMatch(/^\d+ messages$/);
  await expect(host.say('Two')).rejects.toMatchObject({ name: 'PegboardError' });
  expect(seen).toHaveLength(2);
});

test('nobody scripted says so, settings of its own stay, and the home goes with the host', async () => {
  const host = await openTestHost({
    files: { 'pegboard.yaml': 'confirm: never\nmodels:\n  spendPerDay: 3\n', ...files },
  });
  expect(host.host.config.confirm).toBe('never');
  expect(host.host.config.models.spendPerDay).toBe(3);
  expect(await host.callText('hi')).toBe('hi there\n');
  await expect(host.say('Hello?')).rejects.toThrow('the script has 0 replies');
  await host[Symbol.asyncDispose]();
  expect(existsSync(host.home)).toBe(false);
});

test('a home that is wrong leaves nothing behind', async () => {
  await expect(openTestHost({ files: { 'pegboard.yaml': '\nconfirm: perhaps\n' } })).rejects.toMatchObject({
    code: 'PEG_CONFIG',
    message: expect.stringContaining('pegboard.yaml') as string,
  });
});
