import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { textOf, type CallTrace, type ToolResult } from 'pegboard';

/** Of `tracingChannel('pegboard:call')`. */
const ended = 'tracing:pegboard:call:asyncEnd';
/** Milliseconds for which a rejection keeps an agent from changing its source. */
const rememberedMs = 10 * 60_000;

/** Remembers recent rejections by a person, however they were asked. */
export interface Rejections extends Disposable {
  /** Of this conversation, or of conversations that can't be distinguished. */
  recent(conversation: number | undefined): boolean;
}

/** Listens to the end of every call, because hooks that edit results don't see declined calls. */
export function createRejections(): Rejections {
  const last = new Map<number | undefined, number>();
  const onCall = (message: unknown): void => {
    const { request, result } = message as CallTrace;
    if (!result) return;
    const declined = result.error?.code === 'PEG_DECLINED' || isNo(request.name, result);
    if (declined) last.set(request.turn?.conversation.id, Date.now());
  };
  subscribe(ended, onCall);
  return {
    recent: (conversation) =>
      Date.now() - (last.get(conversation) ?? Number.NEGATIVE_INFINITY) < rememberedMs,
    [Symbol.dispose]: () => void unsubscribe(ended, onCall),
  };
}

/** Whether a question that an agent asked was declined or answered with a word for no. */
function isNo(tool: string, result: ToolResult): boolean {
  if (!/(^|[._])(ask_user|telegram_ask)$/.test(tool)) return false;
  const { rejected } = (result.structured ?? {}) as { readonly rejected?: boolean };
  if (rejected !== undefined) return rejected;
  return /^(The user declined|(no|nein|non|nope|stop)\b)/i.test(textOf(result).trim());
}
