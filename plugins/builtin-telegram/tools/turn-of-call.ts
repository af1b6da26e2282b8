import { PegboardError, type ToolCall } from 'pegboard';
import type { LiveTurn, LiveTurns } from '../turns/live-turns.ts';

/** The turn of a call, whose delivery a tool can still change. Throws PEG_USAGE after the turn. */
export function turnOf(call: Pick<ToolCall, 'turn'>, live: LiveTurns): LiveTurn {
  const turn = live.of(call.turn);
  if (turn) return turn;
  throw new PegboardError('PEG_USAGE', 'The Telegram message that this was for has been answered already.');
}
