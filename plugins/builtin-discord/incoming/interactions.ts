import type { APIInteraction } from 'discord-api-types/v10';
import { parseJson, toJson, type ButtonPress, type ReceivedMessage } from 'pegboard';
import type { JsonApi } from 'pegboard/channels';
import { withoutPreviews } from '../send.ts';
import { buttonsOf, personOf } from './message.ts';

/** `type` of an answer to an interaction, which Discord takes once. */
const answers = { message: 4, nothing: 6 };
const onlyForThem = 1 << 6;

/** What `acknowledge` needs, as the id of a press. */
type PressId = readonly [id: string, token: string, label: string | undefined];

/** A command that was picked from Discord's list. */
const commandIn = ({ data }: APIInteraction) => (data && 'name' in data ? data : undefined);

/** A pressed button, or a command. */
export function readInteraction(interaction: APIInteraction): ButtonPress | ReceivedMessage | undefined {
  const { id, token, channel_id: chat, guild_id: guild, user = interaction.member?.user } = interaction;
  if (chat === undefined) return undefined;
  const base = { address: { chat }, isPrivate: guild === undefined, ...(user && { from: personOf(user) }) };
  const command = commandIn(interaction);
  if (command) {
    const { name } = command;
    const options = ('options' in command && command.options) || [];
    const rest = options.map((option) => ('value' in option ? String(option.value) : '')).join(' ');
    const text = `/${name} ${rest}`.trim();
    return { kind: 'message', id, ...base, isAddressed: true, text, command: { name, rest } };
  }
  const { message, data } = interaction;
  if (!message || !data || !('custom_id' in data)) return undefined;
  const label = buttonsOf(message).get(data.custom_id);
  const press = toJson([id, token, label] satisfies PressId);
  return { kind: 'press', id: press, ...base, data: data.custom_id, message: message.id };
}

/** Answers a press. What was pressed shows in the message itself. */
export async function acknowledge(
  api: JsonApi,
  press: ButtonPress,
  notice: string,
  signal: AbortSignal,
): Promise<void> {
  const [id, token, label] = parseJson(press.id) as PressId;
  await answer(api, { id, token }, notice === label ? '' : notice, signal);
}

/** Discord shows that a command has failed where this doesn't arrive within three seconds. */
export function confirmCommand(api: JsonApi, interaction: APIInteraction): void {
  const command = commandIn(interaction);
  if (!command) return;
  // It may be an old one, which was delivered again.
  answer(api, interaction, `/${command.name}`).catch(() => {});
}

async function answer(
  api: JsonApi,
  { id, token }: Pick<APIInteraction, 'id' | 'token'>,
  text: string,
  signal?: AbortSignal,
): Promise<void> {
  const message = { type: answers.message, data: { content: text, flags: onlyForThem | withoutPreviews } };
  const body = text === '' ? { type: answers.nothing } : message;
  await api.call('POST', `/interactions/${id}/${token}/callback`, { body, ...(signal && { signal }) });
}
