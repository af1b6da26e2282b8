import type { ChatCall, ChatEvent, TurnView } from '../../../chat/wire.ts';

type TurnEvent = Extract<ChatEvent, { readonly type: 'turn' }>;

/** The turn after an event. "gap": events are missing between them. Pure. */
export function applyTurn(view: TurnView | undefined, { turn }: TurnEvent): TurnView | 'gap' {
  const { from = 0, text, calls, ...head } = turn;
  if (view?.id !== turn.id) return turn.seq === 1 ? { ...head, text: text ?? '', calls } : 'gap';
  if (turn.seq <= view.seq) return view;
  if (turn.seq !== view.seq + 1) return 'gap';
  return {
    ...view,
    ...head,
    text: text === undefined ? view.text : view.text.slice(0, from) + text,
    calls: merged(view.calls, calls),
  };
}

function merged(known: readonly ChatCall[], changed: readonly ChatCall[]): readonly ChatCall[] {
  if (changed.length === 0) return known;
  const byId = new Map(known.map((call) => [call.id, call]));
  for (const call of changed) {
    // In the order in which they end, as they are stored.
    if (call.result !== undefined) byId.delete(call.id);
    byId.set(call.id, call);
  }
  const all = [...byId.values()];
  return [
    ...all.filter(({ result }) => result !== undefined),
    ...all.filter(({ result }) => result === undefined),
  ];
}
