import { SpanKind, type Attributes, type Meter } from '@opentelemetry/api';
import type { TurnTrace } from 'pegboard';
import { followTrace, turnTraces } from 'pegboard/kit';
import { conversationOf } from './conversation.ts';
import { errorTypeOf } from './error-type.ts';
import { endSpan, type LiveSpans } from './live-spans.ts';
import { modelAttributes } from './model-name.ts';

/** A span `invoke_agent NAME` for each turn, with its duration and number of tool calls. */
export function followTurns(spans: LiveSpans, meter: Meter): Disposable {
  const durations = meter.createHistogram('gen_ai.invoke_agent.duration', {
    unit: 's',
    description: 'Duration of agent turns.',
    advice: { explicitBucketBoundaries: [0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1280] },
  });
  const toolCalls = meter.createHistogram('gen_ai.invoke_agent.tool_calls', {
    unit: '{call}',
    description: 'Tool calls per turn.',
    advice: { explicitBucketBoundaries: [0, 1, 2, 4, 8, 16, 32, 64] },
  });
  const startTimes = new WeakMap<object, number>();
  return followTrace<TurnTrace>(turnTraces, {
    start({ turn, agent, model, parent }) {
      startTimes.set(turn, performance.now());
      const attributes = { ...operation, ...identityOf(agent), ...modelAttributes(model) };
      const span = spans.start(`invoke_agent ${agent.name}`, SpanKind.INTERNAL, attributes, {
        call: parent,
        turn: parent?.turn,
      });
      spans.enterTurn(turn, span);
    },
    end({ turn, agent, result, error }) {
      const type = error === undefined ? undefined : errorTypeOf(error);
      const attributes: Attributes = {
        ...operation,
        ...identityOf(agent),
        'pegboard.channel': turn.message.source,
        ...(type !== undefined && { 'error.type': type }),
      };
      durations.record((performance.now() - (startTimes.get(turn) ?? performance.now())) / 1000, attributes);
      if (result) toolCalls.record(result.toolCalls.length, attributes);
      const span = spans.leaveTurn(turn);
      if (!span) return;
      const known: Attributes = {
        'gen_ai.conversation.id': conversationOf(turn),
        'pegboard.channel': turn.message.source,
        ...(result && {
          'gen_ai.usage.input_tokens': result.usage.input,
          'gen_ai.usage.output_tokens': result.usage.output,
          'pegboard.turn.stopped': result.stopped !== undefined,
        }),
      };
      endSpan(span, known, type);
    },
  });
}

const operation = { 'gen_ai.operation.name': 'invoke_agent' };

const identityOf = ({ id, name }: TurnTrace['agent']): Attributes => ({
  'gen_ai.agent.id': id,
  'gen_ai.agent.name': name,
});
