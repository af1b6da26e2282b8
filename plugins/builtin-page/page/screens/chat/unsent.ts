import { signal, type Signal } from '@preact/signals';
import { parseJson, toJson } from 'pegboard/browser';
import type { ChatFile } from '../../../chat/wire.ts';
import { post } from '../../api.ts';

/** What was typed and not sent. It outlives the page, and the host. */
export interface Unsent {
  /** The chat that it is for: of a new one, its id when it will be there. */
  readonly chat: string;
  /** The same when it is sent again, so that it arrives once. */
  readonly id: string;
  readonly text: string;
  readonly files: readonly ChatFile[];
}

/** The id that stands for a chat that nothing was written in. */
export const newChat = 'new';

const keyOf = (chat: string): string => `pegboard-unsent-${chat}`;
const known = new Map<string, Signal<Unsent>>();

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const randomId = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => letters[byte % letters.length]).join(
    '',
  );

const empty = (chat: string): Unsent => ({
  chat: chat === newChat ? `c${randomId(12)}` : chat,
  id: `m${randomId(9)}`,
  text: '',
  files: [],
});

export function unsentIn(chat: string): Signal<Unsent> {
  const before = known.get(chat);
  if (before) return before;
  const unsent = signal(readKept(chat) ?? empty(chat));
  known.set(chat, unsent);
  return unsent;
}

function readKept(chat: string): Unsent | undefined {
  try {
    return (parseJson(localStorage.getItem(keyOf(chat)) ?? 'null') as Unsent | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function change(chat: string, changes: Partial<Pick<Unsent, 'text' | 'files'>>): void {
  const unsent = unsentIn(chat);
  unsent.value = { ...unsent.value, ...changes };
  localStorage.setItem(keyOf(chat), toJson(unsent.value));
}

/** Resolves with the chat when the host has it on disk. Throws ApiError; then nothing is lost. */
export async function send(chat: string): Promise<string> {
  const unsent = unsentIn(chat);
  const { chat: to, id, text, files } = unsent.value;
  await post(`chat/${to}`, { id, text, files: files.map((file) => file.id) });
  // What was typed meanwhile is another message.
  const rest = unsent.value.text.startsWith(text) ? unsent.value.text.slice(text.length) : '';
  unsent.value = { ...empty(chat), text: rest };
  if (rest !== '') localStorage.setItem(keyOf(chat), toJson(unsent.value));
  // Another tab may have kept what was typed there.
  else if (readKept(chat)?.id === id) localStorage.removeItem(keyOf(chat));
  return to;
}
