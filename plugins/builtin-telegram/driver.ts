import type { ChannelDriver, PluginContext } from 'pegboard';
import { perform } from 'pegboard/channels';
import type { BotApi } from './bot-api.ts';
import type { TelegramConfig } from './config.ts';
import { poll, type Take } from './inbox/poller.ts';
import { listenForUpdates } from './inbox/webhook.ts';
import { toPayload } from './incoming/address.ts';
import { maxDownloadBytes } from './incoming/files.ts';
import { readUpdate, type Me } from './incoming/read-update.ts';
import { toChunks } from './outgoing/chunks.ts';
import { findLostMessage, markOf } from './outgoing/lost-message.ts';
import { readMarkdown } from './outgoing/markdown.ts';
import { renderQuestion } from './outgoing/question.ts';
import { editMessage, maxFileBytes, sendMessage } from './outgoing/send.ts';
import { plainOf, toHtml } from './outgoing/styled-text.ts';

/**
 * Milliseconds between edits. Telegram lets a bot write about once a second to a chat, and 20 times a minute to a
 * group (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this).
 */
const privateIntervalMs = 1_200;
const groupIntervalMs = 3_200;

/** The channel driver of a Telegram bot. */
export function createDriver(
  api: BotApi,
  {
    config,
    surroundings: { clock },
    log,
  }: Pick<PluginContext<TelegramConfig>, 'config' | 'surroundings' | 'log'>,
): ChannelDriver {
  let me: Me = { id: api.bot, username: '' };
  let isConnected = false;
  const { raw } = api;
  return {
    account: String(api.bot),
    messageTag: 'tg',
    hasButtons: true,
    buttonLimits: { label: 60 },
    splitLength: 4_096,
    maxDownloadBytes,
    maxUploadBytes: maxFileBytes,

    async connect(signal) {
      // Polls keep their own connection busy.
      const { getMe } = isConnected ? api.raw : api.polling;
      me = await getMe(signal as Parameters<typeof getMe>[0]);
      isConnected = true;
      return { contact: `@${me.username}` };
    },
    async listen(inbox, signal, status) {
      const take: Take = (updates) =>
        inbox.take(updates.map((update) => ({ id: String(update.update_id), body: update })));
      if (!config.webhook) return await poll({ api, take, signal, status });
      await using _listening = await listenForUpdates({
        api,
        config: config.webhook,
        take,
        signal,
        clock,
        log,
      });
      await clock.sleep(2 ** 31 - 1, signal);
    },
    async offerCommands(commands) {
      const offered = commands.map(({ command, description }) => ({ command, description }));
      await raw.setMyCommands({ commands: offered });
    },
    read: (body) => readUpdate(body, me),

    render: (markdown) =>
      toChunks(readMarkdown(markdown)).map((chunk) => ({ text: plainOf(chunk), markup: toHtml(chunk) })),
    renderQuestion,
    send: (to, content, options) => sendMessage(api, to, content, options),
    edit: (to, id, text, options) => editMessage(api, to, id, text, options),
    async remove({ chat }, id) {
      await raw.deleteMessage({ chat_id: Number(chat), message_id: Number(id) });
    },
    async clearButtons({ chat }, id) {
      await raw.editMessageReplyMarkup({ chat_id: Number(chat), message_id: Number(id) });
    },
    async acknowledge({ id }, text) {
      await raw.answerCallbackQuery({ callback_query_id: id, ...(text !== '' && { text }) });
    },
    async react({ chat }, id, emoji) {
      // The tool accepts only Telegram's own reactions.
      const reaction = [{ type: 'emoji', emoji }] as Parameters<typeof raw.setMessageReaction>[0]['reaction'];
      const payload = { chat_id: Number(chat), message_id: Number(id), ...(reaction && { reaction }) };
      await raw.setMessageReaction(payload);
    },
    async typing(to) {
      await raw.sendChatAction({ ...toPayload(to), action: 'typing' });
    },
    draftIntervalMs: (_to, isPrivate) => (isPrivate ? privateIntervalMs : groupIntervalMs),

    mark: markOf,
    find: (lost, known, signal) => findLostMessage(lost, known, { api, clock, signal }),

    async download(file, signal) {
      const found = await perform(() => raw.getFile({ file_id: file.id }), {
        signal,
        repeatable: true,
        clock,
      });
      return await api.download(found.file_path!, maxDownloadBytes, signal);
    },
    addressProblem: ({ chat, topic = '1' }) =>
      /^-?\d{1,16}$/.test(chat) && /^\d{1,16}$/.test(topic)
        ? undefined
        : 'give its number, "12345", or with a topic "-1001234:7"',
  };
}
