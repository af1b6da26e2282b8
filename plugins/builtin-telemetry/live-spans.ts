import {
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type SpanKind,
  type Tracer,
} from '@opentelemetry/api';
import type { JsonObject, ToolCall, TurnContext } from 'pegboard';

interface SpanParent {
  readonly call: ToolCall | undefined;
  readonly turn: TurnContext | undefined;
  /** `_meta` of the MCP request, which may hold a traceparent. */
  readonly meta?: JsonObject | undefined;
}

/** The spans of running calls and turns, from which new spans find their parent. Parents are explicit, never guessed. */
export interface LiveSpans {
  start(name: string, kind: SpanKind, attributes: Attributes, parent: SpanParent): Span;
  enterCall(id: string, span: Span): void;
  leaveCall(id: string): Span | undefined;
  enterTurn(turn: TurnContext, span: Span): void;
  leaveTurn(turn: TurnContext): Span | undefined;
}

export function createLiveSpans(tracer: Tracer): LiveSpans {
  const calls = new Map<string, Span>();
  const turns = new Map<TurnContext, Span>();
  const contextOf = ({ call, turn, meta }: SpanParent): Context => {
    const within = call ?? undefined;
    const span = (within && calls.get(within.id)) ?? (turn && turns.get(turn));
    if (span) return trace.setSpan(ROOT_CONTEXT, span);
    return fromRemote(meta?.['traceparent']);
  };
  return {
    start: (name, kind, attributes, parent) =>
      tracer.startSpan(name, { kind, attributes }, contextOf(parent)),
    enterCall: (id, span) => void calls.set(id, span),
    leaveCall: (id) => take(calls, id),
    enterTurn: (turn, span) => void turns.set(turn, span),
    leaveTurn: (turn) => take(turns, turn),
  };
}

/** Ends the span. Errors are recorded by type, never by message, which may hold anything. */
export function endSpan(span: Span, attributes: Attributes, error: string | undefined): void {
  span.setAttributes(attributes);
  if (error !== undefined) {
    span.setAttribute('error.type', error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

function take<K>(spans: Map<K, Span>, key: K): Span | undefined {
  const span = spans.get(key);
  spans.delete(key);
  return span;
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
function fromRemote(traceparent: unknown): Context {
  const parts =
    typeof traceparent === 'string'
      ? /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent)
      : undefined;
  if (!parts) return ROOT_CONTEXT;
  const [, traceId, spanId, flags] = parts;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  });
}
