import type { Check } from 'pegboard';
import type { BotApi } from './bot-api.ts';
import { failureOf, inWords } from './failure.ts';

const timeoutMs = 10_000;

/** Asks Telegram which bot the token belongs to. */
export async function checkToken({ raw }: Pick<BotApi, 'raw'>): Promise<Check> {
  const name = 'Telegram';
  try {
    const signal = AbortSignal.timeout(timeoutMs) as Parameters<typeof raw.getMe>[0];
    const { username } = await raw.getMe(signal);
    return { name, status: 'ok', message: `knows the token: it belongs to @${username}` };
  } catch (thrown) {
    return { name, status: 'failed', ...inWords(failureOf(thrown)) };
  }
}
