import { SpanKind, type Attributes, type Meter } from '@opentelemetry/api';
import type { CallTrace } from 'pegboard';
import { callTraces, followTrace } from 'pegboard/kit';
import { conversationOf } from './conversation.ts';
import { endSpan, type LiveSpans } from './live-spans.ts';

/** A span `execute_tool NAME` for each call, with its duration. */
export function followCalls(spans: LiveSpans, meter: Meter): Disposable {
  const durations = meter.createHistogram('gen_ai.execute_tool.duration', {
    unit: 's',
    description: 'Duration of tool calls, without the time for which they wait for people.',
    advice: {
      explicitBucketBoundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    },
  });
  const calls = meter.createCounter('pegboard.tool.calls', {
    unit: '{call}',
    description: 'Tool calls, by tool, caller, verdict and outcome.',
  });
  return followTrace<CallTrace>(callTraces, {
    start({ id, request }) {
      const { parent, turn = parent?.turn, meta } = request;
      const span = spans.start('execute_tool', SpanKind.INTERNAL, operation, { call: parent, turn, meta });
      spans.enterCall(id, span);
    },
    end(trace) {
      const { id, request, tool, decision, result, ms = 0 } = trace;
      const error = result?.error?.code;
      const named: Attributes = tool ? { 'gen_ai.tool.name': tool.id } : {};
      const outcome: Attributes = error === undefined ? {} : { 'error.type': error };
      durations.record(ms / 1000, { ...operation, ...named, ...outcome });
      calls.add(1, {
        ...named,
        ...outcome,
        'pegboard.caller': kindOf(request.caller, ':'),
        ...(decision && {
          'pegboard.verdict': decision.verdict,
          'pegboard.verdict.by': kindOf(decision.by, /,? /),
        }),
      });
      const span = spans.leaveCall(id);
      if (!span) return;
      // An unknown name may be any text: only names of existing tools are exported.
      if (tool) span.updateName(`execute_tool ${tool.id}`);
      endSpan(span, { ...named, ...detailsOf(trace) }, error);
    },
  });
}

const operation = { 'gen_ai.operation.name': 'execute_tool' };

function detailsOf({ id, request, tool, decision, usage }: CallTrace): Attributes {
  const { caller, scope, parent, turn = parent?.turn } = request;
  return {
    'gen_ai.tool.call.id': id,
    'pegboard.caller': caller,
    ...(tool && { 'gen_ai.tool.type': 'function', 'pegboard.tool.source': tool.source.id }),
    // The name of the person stays in the audit.
    ...(decision && {
      'pegboard.verdict': decision.verdict,
      'pegboard.verdict.by': kindOf(decision.by, ', '),
    }),
    ...(scope.agent !== undefined && { 'gen_ai.agent.id': scope.agent }),
    ...(turn && { 'gen_ai.conversation.id': conversationOf(turn) }),
    ...(usage && {
      'gen_ai.usage.input_tokens': usage.input,
      'gen_ai.usage.output_tokens': usage.output,
    }),
  };
}

/** "mcp" of "mcp:cursor", "hook" of "hook of agent example": a metric has few values of each attribute. */
const kindOf = (whole: string, end: string | RegExp): string => whole.split(end, 1)[0]!;
