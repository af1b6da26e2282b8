import { expect, test } from 'vitest';
import type { Answer } from '../../../host/api/ask.ts';
import type { CallRequest } from '../../../host/api/dispatch.ts';
import type { Hooks } from '../../../host/api/hooks.ts';
import { PegboardError } from '../../../host/core/errors.ts';
import type { AuditLine } from '../../../host/store/audit.ts';
import { kernel } from '../../kit/dispatch.ts';
import { echoTool } from '../../kit/source.ts';

const answering = (answer: Answer) => async () => answer;
const stopped = AbortSignal.abort(new DOMException('stop', 'AbortError'));
const parameters = { type: 'object', properties: { n: { type: 'integer' } } };

const tools = [
  echoTool({ parameters }),
  echoTool({ name: 'ask', confirm: true }),
  echoTool({ name: 'judged' }),
  echoTool({ name: 'crashed' }),
  echoTool({
    name: 'careful',
    prepare: () => {
      throw new PegboardError('PEG_DENIED', 'outside of everything');
    },
  }),
  echoTool({
    name: 'fails',
    execute: () => {
      throw new Error('broken');
    },
  }),
  echoTool({
    name: 'slow',
    timeout: 0.02,
    execute: (_args, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      ),
  }),
];
const hooks: readonly { readonly name: string; readonly hooks: Partial<Hooks> }[] = [
  {
    name: 'plugin guard',
    hooks: {
      preTool({ tool }) {
        if (tool.name === 'judged') return { deny: 'not today' };
        if (tool.name === 'crashed') throw new Error('a bug');
        return undefined;
      },
    },
  },
];

test.for<
  readonly [
    what: string,
    name: string,
    request: Partial<CallRequest>,
    expected: readonly [outcome: string, verdict?: string, by?: string],
  ]
>([
  ['that nothing asks about', 'echo', {}, ['ok', 'allowed', 'rule']],
  ['that nobody is to be asked about', 'ask', { confirm: 'never' }, ['ok', 'allowed', 'configuration']],
  [
    'that a person lets run',
    'ask',
    { ask: answering({ action: 'accept' }) },
    ['ok', 'allowed', 'person, test'],
  ],
  [
    'that is declined',
    'ask',
    { ask: answering({ action: 'decline' }) },
    ['PEG_DECLINED', 'refused', 'person, test'],
  ],
  [
    'whose question is not answered',
    'ask',
    { ask: answering({ action: 'cancel' }) },
    ['PEG_DECLINED', 'refused', 'nobody'],
  ],
  ['that nobody can be asked about', 'ask', {}, ['PEG_NOBODY_TO_ASK', 'refused', 'nobody']],
  ['that a hook refuses', 'judged', {}, ['PEG_DENIED', 'refused', 'hook of plugin guard']],
  ['whose hook crashes', 'crashed', {}, ['PEG_HOOK_FAILED', 'refused', 'hook of plugin guard']],
  ['that the tool itself refuses', 'careful', {}, ['PEG_DENIED', 'refused', 'tool']],
  [
    'of a tool that is not for this agent',
    'echo',
    { scope: { identity: 'agent', agent: 'a', access: { blocked: ['echo'] } } },
    ['PEG_TOOL_UNAVAILABLE', 'refused', 'access'],
  ],
  ['of a tool that is not there', 'nowhere', {}, ['PEG_TOOL_NOT_FOUND']],
  ['with wrong arguments', 'echo', { args: { n: 'x' } }, ['PEG_INVALID_ARGUMENTS']],
  ['that fails', 'fails', {}, ['PEG_TOOL_FAILED', 'allowed', 'rule']],
  ['that takes too long', 'slow', {}, ['PEG_TIMEOUT', 'allowed', 'rule']],
  ['that was cancelled before it began', 'echo', { signal: stopped }, ['PEG_CANCELLED']],
])('a call %s has its line', async ([, name, request, [outcome, verdict, by]]) => {
  const lines: AuditLine[] = [];
  const { call } = await kernel(tools, { hooks, audit: { record: (line) => lines.push(line) } });
  await call(name, {}, request);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ caller: 'test', outcome, verdict, by });
});

test('a call that is cancelled at work has its line, and so has one that an earlier "always" lets run', async () => {
  const lines: AuditLine[] = [];
  const { call } = await kernel(tools, { audit: { record: (line) => lines.push(line) } });
  const controller = new AbortController();
  const asked = call(
    'ask',
    {},
    {
      signal: controller.signal,
      ask() {
        controller.abort();
        return new Promise(() => {});
      },
    },
  );
  await asked;
  const always = answering({ action: 'accept', content: { answer: 'always' } });
  await call('ask', {}, { ask: always });
  await call('ask');
  expect(lines.map(({ outcome, verdict, by }) => [outcome, verdict, by])).toEqual([
    ['PEG_CANCELLED', undefined, undefined],
    ['ok', 'allowed', 'person, test'],
    ['ok', 'allowed', 'approval'],
  ]);
});

test('the tokens are those of the result as a model reads it, and what models used comes beside them', async () => {
  const lines: AuditLine[] = [];
  const { call } = await kernel(
    [
      echoTool({ name: 'long', execute: () => 'x'.repeat(4_003) }),
      echoTool({
        name: 'thinks',
        execute(_args, call) {
          call.recordUsage!({ input: 100, output: 5, cost: 0.25 });
          call.recordUsage!({ input: 20, output: 1 });
          return 'thought';
        },
      }),
    ],
    { audit: { record: (line) => lines.push(line) } },
  );
  await call('long');
  await call('thinks');
  expect(lines.map(({ tokens, used }) => [tokens, used])).toEqual([
    [1_000, undefined],
    [1, { input: 120, output: 6, cost: 0.25 }],
  ]);
});
