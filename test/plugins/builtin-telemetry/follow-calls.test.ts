import { createNoopMeter, trace, type Attributes } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { followCalls } from '../../../plugins/builtin-telemetry/follow-calls.ts';
import { createLiveSpans } from '../../../plugins/builtin-telemetry/live-spans.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { kernel } from '../../kit/dispatch.ts';
import { echoTool } from '../../kit/source.ts';

test('that a person decided is recorded, but not who', async () => {
  const counted: Attributes[] = [];
  const meter = Object.assign(createNoopMeter(), {
    createCounter: () => ({ add: (_: number, attributes: Attributes) => counted.push(attributes) }),
  });
  using _following = followCalls(createLiveSpans(trace.getTracer('test')), meter);
  const { dispatch } = await kernel([echoTool({ confirm: true })]);
  const ask = async () => ({ action: 'accept', by: 'Anna (@anna), Telegram' }) as const;
  await dispatch({ name: 'echo', args: { text: 'hi' }, scope: hostScope, caller: 'test', ask });
  expect(counted).toMatchObject([{ 'pegboard.verdict': 'allowed', 'pegboard.verdict.by': 'person' }]);
  expect(JSON.stringify(counted)).not.toContain('nna');
});
