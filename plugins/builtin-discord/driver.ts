import { setTimeout as delay } from 'node:timers/promises';
import {
  parseJson,
  type ChannelDriver,
  type ChannelInbox,
  type ConnectionStatus,
  type Logger,
  type PluginContext,
} from 'pegboard';
import type { ChannelSettings } from 'pegboard/channels';
import { isRefusal, refusals, type DiscordApi } from './discord-api.ts';
import { pauseAfter, troubleOf } from './failure.ts';
import { receive } from './gateway/receive.ts';
import { attachmentIn } from './incoming/content.ts';
import { readEvent, type PressId } from './incoming/read-event.ts';
import { toMessages } from './outgoing/markdown.ts';
import { renderQuestion } from './outgoing/question.ts';
import { editMessage, findLostMessage, markOf, maxFileBytes, sendMessage } from './outgoing/send.ts';
import type { Application, GatewayEvent, Message, User } from './wire.ts';

/** Room for what makes a question's text safe: Discord takes 2,000 characters. */
const maxQuestionLength = 1_700;
const maxDownloadBytes = 20 * 1024 * 1024;
/** Of an answer to an interaction. */
const responses = { message: 4, nothing: 6 };
const onlyForThem = 1 << 6;

/** The channel driver of a Discord bot. */
export function createDriver(
  api: DiscordApi,
  { config, log }: Pick<PluginContext<ChannelSettings>, 'config' | 'log'>,
): ChannelDriver {
  const { bot } = api;
  const startedAt = Date.now();
  let username: string | undefined;
  return {
    account: bot,
    messageTag: 'dc',
    hasButtons: true,
    maxTextLength: maxQuestionLength,
    maxDownloadBytes,
    maxUploadBytes: maxFileBytes,

    get contact() {
      return username === undefined ? undefined : `@${username}`;
    },
    async connect(signal, status) {
      ({ username } = await lookUpBot({ api, log }, signal, status));
    },
    async listen(inbox, signal, status) {
      offerCommands({ api, log }, inbox);
      await receive({ api, inbox, groups: config.groups, startedAt, signal, status, log });
    },
    read: (body) => readEvent(body as GatewayEvent, bot),

    render: toMessages,
    renderQuestion,
    send: (to, content, options, signal) => sendMessage(api, to, content, options, signal),
    edit: (to, id, text, options) => editMessage(api, to, id, text, options),
    async remove({ chat }, id) {
      try {
        await api.call('DELETE', `/channels/${chat}/messages/${id}`);
      } catch (thrown) {
        if (!isRefusal(thrown, refusals.unknownMessage)) throw thrown;
      }
    },
    async clearButtons({ chat }, id) {
      await api.call('PATCH', `/channels/${chat}/messages/${id}`, { body: { components: [] } });
    },
    async acknowledge(press, notice, signal) {
      const [id, token, label] = parseJson(press.id) as PressId;
      // What was pressed shows in the message itself.
      const body =
        notice === '' || notice === label
          ? { type: responses.nothing }
          : { type: responses.message, data: { content: notice, flags: onlyForThem } };
      await api.call('POST', `/interactions/${id}/${token}/callback`, { body, signal });
    },
    async typing({ chat }) {
      await api.call('POST', `/channels/${chat}/typing`);
    },

    mark: markOf,
    find: (lost, known, signal) => findLostMessage(api, lost, known, signal),

    async download(file, signal) {
      const [chat, message, id = ''] = file.id.split('/');
      const found = await api.call<Message>('GET', `/channels/${chat}/messages/${message}`, { signal });
      const attachment = attachmentIn(found, id);
      if (!attachment) throw new Error('it is not in its message any more');
      return await api.download(attachment.url, maxDownloadBytes, signal);
    },
    async directChat(person) {
      const body = { recipient_id: person };
      return { chat: (await api.call<{ readonly id: string }>('POST', '/users/@me/channels', { body })).id };
    },
    addressProblem: ({ chat, topic }) =>
      /^\d{17,20}$/.test(chat) && topic === undefined
        ? undefined
        : 'give the id of a channel, thread or private chat, such as "1203948576102938475"',
  };
}

interface Contact {
  readonly api: DiscordApi;
  readonly log: Logger;
}

async function lookUpBot(
  { api, log }: Contact,
  signal: AbortSignal,
  status: ConnectionStatus,
): Promise<User> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await api.call<User>('GET', '/users/@me', { signal });
    } catch (thrown) {
      signal.throwIfAborted();
      const { message, fix } = troubleOf(thrown);
      status.failing(message, fix);
      const report = attempt === 1 ? log.error.bind(log) : log.debug.bind(log);
      report(`Discord ${message}; trying again`, { fix });
      await delay(pauseAfter(thrown), undefined, { signal });
    }
  }
}

const inServersAndPrivately = [0, 1];

/** Discord suggests them, and sends what is picked as an interaction. */
function offerCommands({ api, log }: Contact, { commands }: ChannelInbox): void {
  const body = commands.map(({ command, description, words }) => ({
    name: command,
    description,
    contexts: inServersAndPrivately,
    options: words === undefined ? [] : [{ type: 3, name: 'words', description: words }],
  }));
  const offer = async (): Promise<void> => {
    const { id } = await api.call<Application>('GET', '/applications/@me');
    await api.call('PUT', `/applications/${id}/commands`, { body });
  };
  offer().catch((cause: Error) => {
    log.warn('Discord refused the list of commands', { reason: cause.message });
  });
}
