import type { Turn } from '../turn.ts';
import type { EarlierTurn } from '../../store/conversations/earlier-turn.ts';

/** Milliseconds after which nobody may expect the rest of an answer any more. */
const maxPauseMs = 15 * 60_000;
/** Characters of the message in the question. */
const maxLength = 300;

/**
 * Asks whether an interrupted turn goes on, if its message wants that and it has paused for long. False: the person wants
 * it left as it is, or did not answer.
 */
export async function askToGoOn(turn: Turn, earlier: EarlierTurn, timeZone: string): Promise<boolean> {
  const { message, signal, ask } = turn;
  const last = new Date(earlier.activeAt ?? earlier.startedAt);
  if (message.askToGoOn !== true || !ask || Date.now() - last.getTime() < maxPauseMs) return true;
  const when = last.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const text = earlier.message.trim();
  const about = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  const question = {
    message: `I was interrupted while I worked on this message (${when}). Shall I go on?\n${about}`,
    labels: { accept: 'Go on', decline: 'Leave it' },
  };
  const { action } = await ask(question, signal);
  return action === 'accept';
}
