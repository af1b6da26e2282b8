import { expect, test } from 'vitest';
import { anna } from '../../../kit/telegram/fake-bot-api.ts';
import { freePort } from '../../../kit/mcp/mcp-http.ts';
import { sendRaw } from '../../../kit/servers/raw-http.ts';
import { openBotHome } from '../bot-home.ts';

test('with a webhook Telegram sends the updates, and nobody else can', async () => {
  const port = await freePort();
  const config = { webhook: { url: `http://127.0.0.1:${port}/telegram`, port } };
  await using bot = await openBotHome([{ text: 'by webhook' }], { config });
  await bot.telegram.until(() => bot.telegram.calls.some(({ method }) => method === 'setWebhook'));
  const body = JSON.stringify({ update_id: 1, message: { message_id: 1, text: 'forged' } });
  const forge = async (headers: readonly string[], path = '/telegram'): Promise<number> =>
    (
      await sendRaw(port, {
        path,
        headers: ['Content-Type', 'application/json', 'Host', 'x', ...headers],
        body,
      })
    ).status;
  expect(await forge([])).toBe(401);
  expect(await forge(['X-Telegram-Bot-Api-Secret-Token', 'guessed'])).toBe(401);
  expect(await forge([], '/')).toBe(404);
  bot.telegram.write(anna, 'hi');
  await bot.says(anna.id, 'by webhook');
  await bot.telegram.until(() => bot.telegram.pending === 0);
  expect(bot.telegram.calls.filter(({ method }) => method === 'getUpdates')).toEqual([]);
  expect(bot.model.requests).toHaveLength(1);
});
