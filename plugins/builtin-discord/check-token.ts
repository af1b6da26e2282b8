import type { Check } from 'pegboard';
import type { DiscordApi } from './discord-api.ts';
import { troubleOf } from './failure.ts';
import type { Application, User } from './wire.ts';

const timeoutMs = 10_000;
/** To see channels, to write in them and in threads, to attach files, and to read what was written before. */
const permissions = (1n << 10n) | (1n << 11n) | (1n << 15n) | (1n << 16n) | (1n << 38n);

/** Asks Discord which bot the token belongs to. */
export async function checkToken(api: DiscordApi): Promise<Check> {
  const name = 'Discord';
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { username } = await api.call<User>('GET', '/users/@me', { signal });
    const { id } = await api.call<Application>('GET', '/applications/@me', { signal });
    const invite = `https://discord.com/oauth2/authorize?client_id=${id}&scope=bot+applications.commands&permissions=${permissions}`;
    const message = `knows the token: it belongs to @${username} (to add it to a server: ${invite})`;
    return { name, status: 'ok', message };
  } catch (thrown) {
    return { name, status: 'failed', ...troubleOf(thrown) };
  }
}
