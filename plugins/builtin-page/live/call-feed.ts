import { type CallTrace, toJson, type ToolResult } from 'pegboard';
import { callTraces, followTrace } from 'pegboard/kit';
import type { CallDetails, CallRow } from '../wire.ts';
import { previewOf } from './preview.ts';

/** Calls whose details are kept, and characters of their results in total. */
const maxKept = 500;
const maxKeptLength = 8_000_000;
/** Characters of one text that are shown. */
const maxShownLength = 200_000;

type Seen = CallTrace & { readonly args?: unknown };

export interface CallFeed extends Disposable {
  /** Calls that run and began since the feed was opened. */
  running(): readonly CallRow[];
  /** Undefined when it is not kept any more. */
  row(id: string): CallRow | undefined;
  /** Of a call that began or ended since the feed was opened; undefined when it is not kept any more. */
  details(id: string): CallDetails | undefined;
}

/**
 * The calls of this process from now on, when they begin and when they end. Whoever follows a trace makes each call some
 * microseconds slower, so it is open only while somebody looks. `redact` removes secrets.
 */
export function openCallFeed(onCall: (row: CallRow) => void, redact: (text: string) => string): CallFeed {
  const beganAt = new WeakMap<object, number>();
  const running = new Map<string, Seen>();
  const kept = new Map<string, { readonly trace: Seen; readonly length: number }>();
  let keptLength = 0;
  const keep = (trace: Seen): void => {
    const length = lengthOf(trace.result?.content) + lengthOf(trace.result?.structured);
    kept.set(trace.id, { trace, length });
    keptLength += length;
    for (const [id, oldest] of kept) {
      if (kept.size <= maxKept && keptLength <= maxKeptLength) break;
      kept.delete(id);
      keptLength -= oldest.length;
    }
  };
  const toRow = (trace: Seen): CallRow => {
    const { request, tool, decision, result, ms, waitedMs } = trace;
    const { parent, turn = parent?.turn, scope, caller } = request;
    const within = parent?.id ?? (turn && `${turn.conversation.source}/${turn.conversation.id}`);
    const args = previewOf(trace.args);
    const said = result && previewOf(firstText(result));
    return {
      id: trace.id,
      tool: tool?.id ?? request.name.slice(0, 100),
      caller,
      at: beganAt.get(trace)!,
      ...(scope.agent !== undefined && { agent: scope.agent }),
      ...(within !== undefined && { within }),
      ...(ms !== undefined && { ms: Math.round(ms * 1_000) / 1_000 }),
      ...(waitedMs !== undefined && { waitedMs: Math.round(waitedMs) }),
      ...(result && { outcome: result.error?.code ?? 'ok' }),
      ...(decision && { by: decision.by }),
      ...(args !== undefined && { args: redact(args) }),
      ...(said !== undefined && { result: said }),
    };
  };
  const following = followTrace<Seen>(callTraces, {
    start(trace) {
      beganAt.set(trace, Date.now());
      running.set(trace.id, trace);
      onCall(toRow(trace));
    },
    end(trace) {
      running.delete(trace.id);
      // It began before somebody looked.
      const { ms = 0, waitedMs = 0 } = trace;
      if (!beganAt.has(trace)) beganAt.set(trace, Date.now() - ms - waitedMs);
      keep(trace);
      onCall(toRow(trace));
    },
  });
  return {
    running: () => [...running.values()].map(toRow),
    row(id) {
      const one = kept.get(id);
      return one && toRow(one.trace);
    },
    details(id) {
      const trace = kept.get(id)?.trace ?? running.get(id);
      if (!trace) return undefined;
      const { args, result, ms = 0 } = trace;
      return {
        ...(args !== undefined && { args: shortened(redact(toJson(args, 2))) }),
        ...(result && {
          result: {
            ok: result.error === undefined,
            content: result.content.map(shortenedContent),
            ...(result.structured !== undefined && structuredOf(result.structured)),
            ...(result.error && { error: result.error }),
            ms,
          },
        }),
      };
    },
    [Symbol.dispose]: () => following[Symbol.dispose](),
  };
}

/** Characters of all texts in it. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let length = 0;
  for (const member of Object.values(value)) length += lengthOf(member);
  return length;
}

/** As much of it as is shown. What is too long is usually in the text as well, as MCP wants it. */
const structuredOf = (structured: unknown): { readonly structured: unknown } => ({
  structured:
    lengthOf(structured) > maxShownLength
      ? `It has more than ${maxShownLength} characters, which are too many to be shown.`
      : structured,
});

const firstText = ({ content }: ToolResult): string | undefined =>
  content.find((block) => block.type === 'text')?.text;

const shortened = (text: string): string =>
  text.length > maxShownLength
    ? `${text.slice(0, maxShownLength)}…\n(${text.length} characters in all)`
    : text;

const shortenedContent = (block: ToolResult['content'][number]): ToolResult['content'][number] =>
  block.type === 'text' ? { ...block, text: shortened(block.text) } : block;
