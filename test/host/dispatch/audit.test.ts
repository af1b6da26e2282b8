import { expect, test } from 'vitest';
import type { AuditLine } from '../../../host/store/audit.ts';
import { pegboard, pegboardJson, startPegboard } from '../../kit/cli.ts';
import { kernel } from '../../kit/dispatch.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { echoTool } from '../../kit/source.ts';

test('every call leaves a line that says who did what, who allowed it and how it ended, and no value', async () => {
  await using home = await createHome({
    'spaces/s/agent/tools/hi.md': manifest(
      'hi',
      'confirm: true\nparameters: [{ name: who, type: string, description: Who, required: true }]\ncommand: echo hi {{who}}',
    ),
  });
  const call = (...args: string[]) => pegboard(['call', ...args], { home: home.path });
  await call('hi', 'who=somebody-private', '--yes');
  await call('hi', 'who=somebody-private');
  await call('hi');
  await call('nowhere');
  const lines = (await home.read('data/logs/audit.jsonl')).trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as AuditLine);
  expect(entries.map(({ tool, outcome, verdict, by }) => [tool, outcome, verdict, by])).toEqual([
    ['s.hi', 'ok', 'allowed', 'configuration'],
    ['s.hi', 'PEG_NOBODY_TO_ASK', 'refused', 'nobody'],
    ['s.hi', 'PEG_INVALID_ARGUMENTS', undefined, undefined],
    ['nowhere', 'PEG_TOOL_NOT_FOUND', undefined, undefined],
  ]);
  expect(entries[0]).toMatchObject({
    caller: 'cli',
    args: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  expect(entries[0]!.args).toBe(entries[1]!.args);
  expect(lines.join()).not.toContain('somebody-private');
  const shown = await pegboard(['logs', '--audit', '--lines', '1'], { home: home.path });
  expect(shown.stdout.trim()).toBe(lines.at(-1));
  const told = await pegboardJson<{ readonly lines: readonly AuditLine[] }>(['logs', '--audit', '-n', '2'], {
    home: home.path,
  });
  expect(told).toEqual({ lines: entries.slice(-2) });
});

test('whoever has heard of a result finds its line, also when the process was killed at that moment', async () => {
  await using home = await createHome({
    'spaces/s/agent/tools/hi.md': manifest('hi', 'command: echo hi'),
  });
  await using served = startPegboard(['serve', '--stdio'], { home: home.path, apart: true });
  const tell = (message: object): void =>
    void served.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  tell({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  await served.waitFor(/"id":1\b/);
  tell({ method: 'notifications/initialized' });
  tell({ id: 2, method: 'tools/call', params: { name: 'hi', arguments: {} } });
  await served.waitFor(/"id":2\b/);
  served.child.kill('SIGKILL');
  await served.ended;
  const [line] = (await home.read('data/logs/audit.jsonl')).trim().split('\n');
  expect(JSON.parse(line!)).toMatchObject({ tool: 's.hi', outcome: 'ok' });
});

test('a secret argument is in no question, and the digest that the audit keeps does not depend on it', async () => {
  const lines: AuditLine[] = [];
  const login = {
    type: 'object',
    properties: {
      user: { type: 'string' },
      login: { type: 'object', properties: { pin: { $ref: '#/$defs/pin' } } },
      old: { type: 'array', items: { $ref: '#/$defs/pin' } },
    },
    $defs: { pin: { type: 'string', writeOnly: true } },
  };
  const { call } = await kernel(
    [
      echoTool({ name: 'enter', parameters: login, confirm: true }),
      echoTool({
        name: 'run',
        parameters: { type: 'object' },
        confirm: true,
        innerCalls: [{ in: 'calls', tool: 'tool', args: 'args' }],
      }),
    ],
    { audit: { record: (line) => lines.push(line) } },
  );
  const questions: unknown[] = [];
  const request = {
    ask: async (question: unknown) => {
      questions.push(question);
      return { action: 'accept' } as const;
    },
  };
  for (const pin of ['1234', '9876']) {
    const args = { user: 'ann', login: { pin }, old: [pin] };
    await call('enter', args, request);
    await call('run', { calls: [{ tool: 'enter', args }] }, request);
  }
  expect(questions).toHaveLength(4);
  expect(JSON.stringify(questions)).toContain('ann');
  expect(JSON.stringify(questions)).not.toMatch(/1234|9876/);
  expect(lines.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(lines.slice(2).map(({ args }) => args)).toEqual(lines.slice(0, 2).map(({ args }) => args));
  await call('enter', { user: 'bob' }, request);
  expect(lines.at(-1)!.args).not.toBe(lines[0]!.args);
});
