import type { APIUser } from 'discord-api-types/v10';
import type { ChannelDriver, Clock } from 'pegboard';
import type { AccountAccess, ChannelSettings } from 'pegboard/channels';
import { createDiscordApi, idAt } from './discord-api.ts';
import { receive } from './gateway.ts';
import { attachmentUrl, buttonsOf, type Message } from './incoming/message.ts';
import { acknowledge } from './incoming/interactions.ts';
import { readEvent, type GatewayEvent } from './incoming/read-event.ts';
import { createSender } from './send.ts';

export interface DriverOptions extends AccountAccess {
  /** The bot's id. */
  readonly bot: string;
  readonly groups: ChannelSettings['groups'];
  readonly clock: Clock;
}

const megabyte = 1024 * 1024;
const maxDownloadBytes = 20 * megabyte;
/** To see channels, to write in them and in threads, to attach files, and to read what was written before. */
const permissions = (1n << 10n) | (1n << 11n) | (1n << 15n) | (1n << 16n) | (1n << 38n);

/** Of a command. */
const inServersAndPrivately = [0, 1];
const textOption = 3;

/** The channel driver of a Discord bot. */
export function createDriver({ token, root, bot, groups, clock }: DriverOptions): ChannelDriver {
  const api = createDiscordApi({ token, root, clock });
  let application = bot;
  return {
    account: bot,
    messageTag: 'dc',
    hasButtons: true,
    buttonLimits: { label: 80, count: 25 },
    showsMarkdown: true,
    maxTextLength: 2_000,
    splitLength: 2_000,
    maxDownloadBytes,
    maxUploadBytes: 10 * megabyte,
    ignoresRepeats: 'for a minute',

    async connect(signal) {
      const { username } = await api.call<APIUser>('GET', '/users/@me', { signal });
      ({ id: application } = await api.call<{ readonly id: string }>('GET', '/applications/@me', { signal }));
      const invite = `https://discord.com/oauth2/authorize?client_id=${application}&scope=bot+applications.commands&permissions=${permissions}`;
      return { contact: `@${username}`, hint: `to add it to a server: ${invite}` };
    },
    listen: (inbox, signal, status) => receive(inbox, { api, token, groups, signal, status }),
    async offerCommands(commands, signal) {
      const body = commands.map(({ command, description, words }) => ({
        name: command,
        description,
        contexts: inServersAndPrivately,
        options: words === undefined ? [] : [{ type: textOption, name: 'words', description: words }],
      }));
      await api.call('PUT', `/applications/${application}/commands`, { body, signal });
    },
    read: (body) => readEvent(body as GatewayEvent, bot),

    ...createSender(api),
    async remove({ chat }, id, signal) {
      await api.call('DELETE', `/channels/${chat}/messages/${id}`, { signal });
    },
    async clearButtons({ chat }, id, signal) {
      await api.call('PATCH', `/channels/${chat}/messages/${id}`, { body: { components: [] }, signal });
    },
    acknowledge: (press, notice, signal) => acknowledge(api, press, notice, signal),
    async typing({ chat }) {
      await api.call('POST', `/channels/${chat}/typing`);
    },

    async history({ address, isPrivate, after }, signal) {
      const first = after instanceof Date ? idAt(after.getTime()) : after || '0';
      const path = `/channels/${address.chat}/messages?limit=100&after=${first}`;
      const page = await api.call<readonly Message[]>('GET', path, { signal });
      return page.toReversed().map((message) => ({
        id: message.id,
        isOwn: message.author.id === bot,
        text: message.content,
        buttons: [...buttonsOf(message).keys()],
        // Discord leaves the server out here.
        event: {
          id: message.id,
          body: { t: 'MESSAGE_CREATE', d: isPrivate ? message : { ...message, guild_id: '0' } },
        },
      }));
    },
    async download({ id }, signal) {
      const [chat, message, attachment] = id.split('/');
      const found = await api.call<Message>('GET', `/channels/${chat}/messages/${message}`, { signal });
      const url = attachmentUrl(found, attachment);
      if (url === undefined) throw new Error('it is not in its message any more');
      return await api.download(url, maxDownloadBytes, signal);
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
