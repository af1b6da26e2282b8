import type { PreambleSection, TurnContext } from 'pegboard';
import type { Clock } from '../background/clock.ts';
import { originOf, readOrigins } from '../background/origin.ts';
import { toIso } from './claims.ts';
import type { ScheduleStore } from './store.ts';

/** Milliseconds; what is older is forgotten by whoever asks back. */
const window = 24 * 3_600_000;
const most = 5;
const longest = 500;

/** What schedules sent to this chat, so that an agent knows what a person answers to. */
export async function lately(
  turn: TurnContext,
  { store, clock }: { readonly store: ScheduleStore; readonly clock: Clock },
): Promise<readonly PreambleSection[]> {
  const { chat } = originOf({ scope: { identity: 'agent', access: {} }, caller: '', turn });
  if (!chat || turn.message.source === 'schedule') return [];
  const runs = await store.deliveredTo(chat, toIso(clock.now() - window), most);
  if (runs.length === 0) return [];
  for (const origin of runs.flatMap(({ untrusted }) => readOrigins(untrusted))) turn.untrusted.note(origin);
  return [
    {
      title: 'Sent to this chat by schedules lately',
      lines: runs.map(({ schedule_id: id, reply, ended_at: at }) => {
        const text = (reply ?? '').replaceAll(/\s+/g, ' ');
        return `schedule ${id}, ${at}: ${text.length > longest ? `${text.slice(0, longest)}…` : text}`;
      }),
    },
  ];
}
