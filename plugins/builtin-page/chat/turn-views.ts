import { Buffer } from 'node:buffer';
import { textOf, toJson } from 'pegboard';
import {
  type RunningCall,
  type RunningTurn,
  type RunningTurns,
  toModelContent,
  type TranscriptCall,
} from 'pegboard/home';
import { pageSource } from '../channel/page-source.ts';
import type { ChatCall, ChatEvent, TurnView } from './wire.ts';

/** The turns of this process, as the page is told of them. */
export interface TurnViews extends Disposable {
  of(chat: string): TurnView | undefined;
  /** The whole result of a call. */
  result(turn: number, call: string): string | undefined;
  /** Called with what has changed, a few times in a second. */
  onEvent(listener: (event: ChatEvent) => void): Disposable;
}

/** Milliseconds for which changes are collected. */
const collectMs = 50;
/** Characters of arguments and results that are sent at first. */
const maxLength = 2_000;

/** What was not sent yet. */
interface Change {
  seq: number;
  /** The first character of the text that is new. */
  from: number | undefined;
  readonly calls: Set<string>;
}

export function createTurnViews(running: RunningTurns): TurnViews {
  const changes = new Map<RunningTurn, Change>();
  const listeners = new Set<(event: ChatEvent) => void>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (event: ChatEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const changed = (turn: RunningTurn): Change => {
    const known = changes.get(turn) ?? { seq: 0, from: undefined, calls: new Set() };
    changes.set(turn, known);
    return known;
  };
  const send = (turn: RunningTurn, change: Change): void => {
    const { from, calls } = change;
    change.seq++;
    const told = [...calls].map((id) => callOf(turn, turn.calls.get(id)!));
    calls.clear();
    change.from = undefined;
    tell({
      type: 'turn',
      turn: {
        ...headOf(turn, change.seq),
        calls: told,
        ...(from !== undefined && { from, text: turn.text.slice(from) }),
      },
    });
  };
  const pending = new Set<RunningTurn>();
  const flush = (): void => {
    timer = undefined;
    for (const turn of pending) send(turn, changed(turn));
    pending.clear();
  };
  const following = running.onChange((turn, what) => {
    if (what.type === 'ended') {
      if (pending.delete(turn)) send(turn, changed(turn));
      changes.delete(turn);
      return tell({ type: 'turn-ended', turn: turn.id, chat: chatOf(turn) });
    }
    const change = changed(turn);
    if (what.type === 'text') change.from = Math.min(change.from ?? what.from, what.from);
    if (what.type === 'call') change.calls.add(what.call);
    pending.add(turn);
    timer ??= setTimeout(flush, collectMs);
  });
  return {
    of(chat) {
      const turn = running.all.find((one) => chatOf(one) === chat);
      if (!turn) return undefined;
      const calls = [...turn.calls.values()].map((call) => callOf(turn, call));
      return { ...headOf(turn, changes.get(turn)?.seq ?? 0), text: turn.text, calls };
    },
    result(id, callId) {
      const call = running.all.find((turn) => turn.id === id)?.calls.get(callId);
      return call && resultOf(call);
    },
    onEvent(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      following[Symbol.dispose]();
    },
  };
}

/** The chats of the page have ids of their own; conversations that are held elsewhere have numbers. */
const chatOf = ({ conversation: { source, externalId, id } }: RunningTurn): string =>
  source === pageSource ? externalId : String(id);

const headOf = (turn: RunningTurn, seq: number): Omit<TurnView, 'text' | 'calls'> => ({
  id: turn.id,
  chat: chatOf(turn),
  seq,
  agent: turn.agent,
  startedAt: turn.startedAt,
  thinking: turn.thinking,
  ...(turn.externalMessageId !== undefined && { answers: turn.externalMessageId }),
  ...(turn.messageId !== undefined && { message: turn.messageId }),
  ...(turn.notice !== undefined && { notice: turn.notice }),
});

function callOf(turn: RunningTurn, call: RunningCall): ChatCall {
  const { id, tool, args, progress, result, ms } = call;
  const said = resultOf(call);
  const isOk = result && ('ok' in result ? result.ok : result.error === undefined);
  return {
    id: `${turn.id}/${id}`,
    tool,
    args: (toJson(args) ?? '').slice(0, maxLength),
    ...(progress !== undefined && { progress }),
    ...(said !== undefined && { result: said.slice(0, maxLength), isCut: said.length > maxLength }),
    ...(isOk !== undefined && { ok: isOk }),
    ...(ms !== undefined && { ms }),
  };
}

/** The text that the model gets. */
function resultOf({ result }: RunningCall): string | undefined {
  if (!result) return undefined;
  return 'ok' in result ? result.result : textOf({ content: toModelContent(result) });
}

/** A call of a stored answer. */
export const storedCall = ({ id, result, length, ended, ...call }: TranscriptCall): ChatCall => ({
  ...call,
  id: String(id),
  result,
  isCut: Buffer.byteLength(result) < length,
  ...(!ended && { isInterrupted: true }),
});
