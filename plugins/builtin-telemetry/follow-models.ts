import { SpanKind, type Attributes, type Meter, type Span } from '@opentelemetry/api';
import type { ModelTrace } from 'pegboard';
import { followTrace, modelTraces } from 'pegboard/kit';
import { conversationOf } from './conversation.ts';
import { errorTypeOf } from './error-type.ts';
import { endSpan, type LiveSpans } from './live-spans.ts';
import { modelAttributes, splitModel } from './model-name.ts';

/** A span `chat MODEL` for each model request, with its tokens, duration and cost. */
export function followModels(spans: LiveSpans, meter: Meter): Disposable {
  const durations = meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'Duration of model requests, retries included.',
    advice: {
      explicitBucketBoundaries: [
        0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
      ],
    },
  });
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Tokens of model requests and responses.',
    advice: {
      explicitBucketBoundaries: [
        1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
      ],
    },
  });
  const cost = meter.createCounter('pegboard.model.cost', {
    unit: '{USD}',
    description: 'Cost of model responses, where the provider states it.',
  });
  const live = new Map<ModelTrace, { readonly span: Span; readonly began: number }>();
  return followTrace<ModelTrace>(modelTraces, {
    start(trace) {
      const { model, request, turn } = trace;
      const attributes: Attributes = {
        ...operation,
        ...modelAttributes(model),
        ...(request.maxTokens !== undefined && { 'gen_ai.request.max_tokens': request.maxTokens }),
        ...(turn && { 'gen_ai.conversation.id': conversationOf(turn), 'gen_ai.agent.id': turn.agent }),
      };
      const span = spans.start(`chat ${splitModel(model).name}`, SpanKind.CLIENT, attributes, {
        call: undefined,
        turn,
      });
      live.set(trace, { span, began: performance.now() });
    },
    end(trace) {
      const { model, result, error } = trace;
      const type = error === undefined ? undefined : errorTypeOf(error);
      const attributes: Attributes = {
        ...operation,
        ...modelAttributes(model),
        ...(result && { 'gen_ai.response.model': splitModel(result.model).name }),
      };
      const known = live.get(trace);
      live.delete(trace);
      if (result) {
        const { input, output, cost: dollars } = result.usage;
        tokens.record(input, { ...attributes, 'gen_ai.token.type': 'input' });
        tokens.record(output, { ...attributes, 'gen_ai.token.type': 'output' });
        if (dollars !== undefined) cost.add(dollars, attributes);
      }
      if (!known) return;
      const failure: Attributes = type === undefined ? {} : { 'error.type': type };
      durations.record((performance.now() - known.began) / 1000, { ...attributes, ...failure });
      endSpan(known.span, { ...attributes, ...answerOf(trace) }, type);
    },
  });
}

const operation = { 'gen_ai.operation.name': 'chat' };

function answerOf({ result }: ModelTrace): Attributes {
  if (!result) return {};
  const { usage, finish } = result;
  return {
    'gen_ai.response.finish_reasons': [finish],
    'gen_ai.usage.input_tokens': usage.input,
    'gen_ai.usage.output_tokens': usage.output,
    ...(usage.cached !== undefined && { 'gen_ai.usage.cache_read.input_tokens': usage.cached }),
  };
}
