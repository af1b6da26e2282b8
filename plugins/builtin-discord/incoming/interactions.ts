import { parseJson, toJson, type ButtonPress, type ReceivedMessage } from 'pegboard';
import type { JsonApi } from 'pegboard/channels';
import type { Interaction, Message, MessageButton } from '../wire.ts';
import { personOf } from './names.ts';

/** `type` of an interaction. */
const command = 2;
/** `type` of an answer to one, which Discord takes once. */
const answers = { message: 4, nothing: 6 };
const onlyForThem = 1 << 6;

/** What `acknowledge` needs, as the id of a press. */
type PressId = readonly [id: string, token: string, label: string | undefined];

/** A pressed button, or a command that was picked from Discord's list. */
export function readInteraction(interaction: Interaction): ButtonPress | ReceivedMessage | undefined {
  const { id, token, type, channel_id: chat, guild_id: guild, user, member, data, message } = interaction;
  if (chat === undefined) return undefined;
  const from = user ?? member?.user;
  const base = { address: { chat }, isPrivate: guild === undefined, ...(from && { from: personOf(from) }) };
  const { name, custom_id: button, options = [] } = data ?? {};
  if (type === command && name !== undefined) {
    const rest = options.map(({ value }) => String(value)).join(' ');
    const text = `/${name} ${rest}`.trim();
    return { kind: 'message', id, ...base, isAddressed: true, text, command: { name, rest } };
  }
  if (button === undefined) return undefined;
  const label = message && buttonsOf(message).find((one) => one.custom_id === button)?.label;
  const press = toJson([id, token, label] satisfies PressId);
  return { kind: 'press', id: press, ...base, data: button, ...(message && { message: message.id }) };
}

export const buttonsOf = ({ components: rows = [] }: Message): readonly MessageButton[] =>
  rows.flatMap(({ components = [] }) => components);

/** Answers a press. What was pressed shows in the message itself. */
export async function acknowledge(
  api: JsonApi,
  press: ButtonPress,
  notice: string,
  signal: AbortSignal,
): Promise<void> {
  const [id, token, label] = parseJson(press.id) as PressId;
  const isNews = notice !== '' && notice !== label;
  await answer(api, { id, token }, isNews ? notice : undefined, signal);
}

/** Discord shows that a command has failed where this doesn't arrive within three seconds. */
export function confirmCommand(api: JsonApi, interaction: Interaction): void {
  if (interaction.type !== command) return;
  // It may be an old one, which was delivered again.
  answer(api, interaction, `/${interaction.data?.name}`).catch(() => {});
}

async function answer(
  api: JsonApi,
  { id, token }: Pick<Interaction, 'id' | 'token'>,
  text: string | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const body =
    text === undefined
      ? { type: answers.nothing }
      : { type: answers.message, data: { content: text, flags: onlyForThem } };
  await api.call('POST', `/interactions/${id}/${token}/callback`, { body, ...(signal && { signal }) });
}
