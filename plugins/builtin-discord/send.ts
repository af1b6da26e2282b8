import { createHash, randomUUID } from 'node:crypto';
import { toJson, type Button, type ChannelDriver, type SendOptions, type StyledMessage } from 'pegboard';
import { ChannelFailure, type JsonApi } from 'pegboard/channels';

/** Links get no preview. */
export const withoutPreviews = 1 << 2;
/** Whatever an answer contains, it notifies nobody. */
const noMentions = { allowed_mentions: { parse: [] } };
/** Keys are unique in a home, and a bot may have had another one. */
const ownNonces = randomUUID();

const textOf = ({ text }: StyledMessage) => ({ content: text, flags: withoutPreviews });

/** How messages are sent and changed. */
export const createSender = (api: JsonApi): Pick<ChannelDriver, 'send' | 'edit'> => ({
  async send({ chat }, content, options, signal) {
    const { replyTo, key = randomUUID() } = options;
    // Discord takes a nonce once within a few minutes, and answers with the message that has it.
    const nonce = createHash('sha256').update(`${ownNonces}/${chat}/${key}`).digest('base64url');
    const body = {
      ...(content.kind === 'text' ? textOf(content) : { attachments: [{ id: 0, filename: content.name }] }),
      ...noMentions,
      components: rowsOf(options),
      nonce: nonce.slice(0, 25),
      enforce_nonce: true,
      ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
    };
    const form = new FormData();
    if (content.kind === 'file') {
      const bytes = Buffer.from(content.data, 'base64');
      form.set('payload_json', toJson(body));
      form.set('files[0]', new Blob([bytes], { type: content.mimeType }), content.name);
    }
    const request = { body: content.kind === 'file' ? form : body, signal };
    return (await api.call<{ readonly id: string }>('POST', `/channels/${chat}/messages`, request)).id;
  },
  async edit({ chat }, id, text, options, signal) {
    const body = { ...textOf(text), ...noMentions, components: rowsOf(options) };
    try {
      await api.call('PATCH', `/channels/${chat}/messages/${id}`, { body, signal });
      return true;
    } catch (thrown) {
      // It is gone, or not the bot's.
      if (thrown instanceof ChannelFailure && [403, 404].includes(thrown.status ?? 0)) return false;
      throw thrown;
    }
  },
});

const maxUrlLength = 512;
const rowLength = 5;
const types = { row: 1, button: 2 };
const styles = { secondary: 2, link: 5 };

/** The buttons of a message, in rows. */
function rowsOf({ buttons = [], link }: Pick<SendOptions, 'buttons' | 'link'>): readonly object[] {
  const isOpened = link !== undefined && link.length <= maxUrlLength;
  const opening = isOpened ? [{ type: types.button, style: styles.link, label: 'Open', url: link }] : [];
  const all = [...opening, ...buttons.map(toButton)];
  return Array.from({ length: Math.ceil(all.length / rowLength) }, (_, row) => ({
    type: types.row,
    components: all.slice(row * rowLength, (row + 1) * rowLength),
  }));
}

const toButton = ({ label, data }: Button): object => ({
  type: types.button,
  style: styles.secondary,
  label,
  custom_id: data,
});
