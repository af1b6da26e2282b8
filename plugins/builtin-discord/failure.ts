import { ChannelFailure } from 'pegboard/channels';
import { DiscordRefusal } from './discord-api.ts';
import { tokenFix } from './token.ts';

/** What the owner reads after "Discord". */
export interface Trouble {
  readonly message: string;
  readonly fix?: string;
}

export const unknownToken: Trouble = { message: 'does not know this DISCORD_BOT_TOKEN', fix: tokenFix };

/** What keeps the bot from receiving messages, and what its owner can do. */
export function troubleOf(thrown: unknown): Trouble {
  const { message: reason, cause } = thrown as Error;
  if (thrown instanceof ChannelFailure && thrown.kind === 'busy')
    return { message: `asks to wait ${Math.ceil(thrown.seconds)} s` };
  if (!(cause instanceof DiscordRefusal))
    return {
      message: `can't be reached (${reason})`,
      fix: 'check the network, and DISCORD_API_ROOT if it is set',
    };
  if (cause.status === 401) return unknownToken;
  if (cause.status < 500) return { message: `refused: ${reason}` };
  return {
    message: `has a problem of its own: it answered ${cause.status} (${reason})`,
    fix: 'try again later, and check DISCORD_API_ROOT if it is set',
  };
}

/** Milliseconds to wait after a refusal that only the owner can mend. */
export const refusedPauseMs = 30_000;
const shortPauseMs = 1_000;

/** Milliseconds to wait before Discord is asked again. */
export function pauseAfter(thrown: unknown): number {
  if (!(thrown instanceof ChannelFailure)) return shortPauseMs;
  if (thrown.kind === 'busy') return thrown.seconds * 1000;
  return thrown.kind === 'refused' ? refusedPauseMs : shortPauseMs;
}
