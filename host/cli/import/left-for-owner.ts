import { pegboard } from '../../core/own-command.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';
import { quoteWord } from '../words.ts';
import type { LeftOut } from './foreign-home.ts';
import { hasCredential } from './suspicious.ts';

/** When a foreign schedule is due. */
export interface ForeignTiming {
  readonly cron?: string;
  /** An ISO moment. */
  readonly at?: string;
  readonly everyMinutes?: number;
  readonly timezone?: string;
}

/** A schedule runs a prompt while nobody watches, so its owner adds it. */
export function scheduleLeft(
  {
    name,
    prompt,
    from,
    chat,
  }: { readonly name: string; readonly prompt: string; readonly from: string; readonly chat?: string },
  timing: ForeignTiming,
): LeftOut {
  const what = `schedule ${name}`;
  const text = visibleText(prompt).trim();
  if (text === '') return { what, from, why: 'it has no prompt' };
  if (hasCredential(text)) return { what, from, why: 'its prompt seems to contain a password, key or token' };
  const when = timing.cron ?? timing.at ?? cronOfMinutes(timing.everyMinutes);
  if (when === undefined)
    return { what, from, why: 'neither a cron expression nor a moment says when it is due' };
  const options = [
    ...(timing.timezone ? ['--timezone', visibleText(timing.timezone)] : []),
    ...(chat !== undefined && /^\w+\/-?\d+$/.test(chat) ? ['--to', chat] : []),
  ];
  return {
    what,
    from,
    why: 'it runs a prompt while nobody watches: add it if you want it',
    // A word after `--` is never an option.
    command: `${pegboard} schedule add ${[...options, '--', visibleText(when), text].map(quoteWord).join(' ')}`,
  };
}

/** Undefined unless the interval divides an hour or a day. */
function cronOfMinutes(minutes: number | undefined): string | undefined {
  if (minutes === undefined || !Number.isInteger(minutes) || minutes < 1) return undefined;
  if (minutes === 1) return '* * * * *';
  if (minutes < 60) return 60 % minutes === 0 ? `*/${minutes} * * * *` : undefined;
  if (minutes === 60) return '0 * * * *';
  if (minutes === 1_440) return '0 0 * * *';
  return minutes < 1_440 && minutes % 60 === 0 && 24 % (minutes / 60) === 0
    ? `0 */${minutes / 60} * * *`
    : undefined;
}

/** Who may talk to the assistant is decided by its owner. Names prove nothing, so only ids of Telegram are named. */
export function peopleLeft(channel: string, people: readonly unknown[], from: string): readonly LeftOut[] {
  const entries = [
    ...new Set(
      people.map((one) =>
        String(one)
          .trim()
          .replace(/^(?:telegram|tg):/i, ''),
      ),
    ),
  ].filter(Boolean);
  const what = `people on ${channel}`;
  if (entries.length === 0) return [];
  if (channel !== 'telegram') return [{ what, from, why: 'only people on Telegram can be taken over' }];
  const ids = entries.filter((entry) => /^[1-9]\d{0,15}$/.test(entry));
  const others = entries.filter((entry) => !ids.includes(entry));
  return [
    ...(ids.length > 0
      ? [
          {
            what,
            from,
            why: `you decide who may talk to your assistant: add those you know to ALLOWED_TELEGRAM_IDS (${ids.join(', ')})`,
            command: `${pegboard} secret set ALLOWED_TELEGRAM_IDS`,
          },
        ]
      : []),
    ...others.map((entry) => ({
      what: `${what}: ${entry}`,
      from,
      why: entry === '*' ? 'it lets everybody in' : 'it is no numeric id, and names prove nothing',
    })),
  ];
}

/** Names of secrets, never their values. */
export const secretLeft = (name: string, from: string): LeftOut => ({
  what: `secret ${name}`,
  from,
  why: 'secrets are not taken',
  command: `${pegboard} secret set ${/^\w+$/.test(name) ? name : 'NAME'}`,
});

export const serverLeft = (name: string, from: string): LeftOut => ({
  what: `MCP server ${name}`,
  from,
  why: 'it runs a program or sends data to an address: add it if you want it',
  command: `${pegboard} mcp add ${quoteWord(visibleText(name))} URL`,
});
