import type { InlineKeyboardMarkup, ForceReply } from 'grammy/types';
import type { Question } from 'pegboard';
import { readMarkdown } from '../outgoing/markdown.ts';
import { toChunks } from '../outgoing/chunks.ts';
import { escapeHtml, toHtml } from '../outgoing/styled-text.ts';
import type { Choice, Step } from './steps.ts';

/** Characters of what is at stake that one message has room for, beside the question. */
export const detailLimit = 3_000;
const messageLimit = 800;

/** The question as HTML. What is at stake is shown as it is; what has no room comes as a file before it. */
export function showQuestion({ message, detail }: Question, { label, url }: Step): string {
  const [first = []] = toChunks(readMarkdown(message), messageLimit);
  const parts = [toHtml(first)];
  if (detail !== undefined) {
    const shown =
      detail.length <= detailLimit
        ? detail
        : `${detail.slice(0, detailLimit)}\n… the rest is in the file above`;
    parts.push(`<pre>${escapeHtml(shown)}</pre>`);
  }
  if (label !== undefined) parts.push(`<b>${escapeHtml(label.slice(0, 300))}</b>`);
  if (url !== undefined) parts.push(escapeHtml(url.slice(0, 1_000)));
  return parts.filter((part) => part !== '').join('\n\n') || '?';
}

/** 22 characters of the token and two of the choice: 24 bytes. */
export const toData = (token: string, choice: number): string => `${token}${String(choice).padStart(2, '0')}`;

export function fromData(data: string): { readonly token: string; readonly choice: number } | undefined {
  const [, token, choice] = /^([\w-]{22})(\d\d)$/.exec(data) ?? [];
  return token === undefined ? undefined : { token, choice: Number(choice) };
}

/** Characters that a button has room for. */
const labelLimit = 60;

export function showChoices(
  token: string,
  choices: readonly Choice[] | undefined,
  url: string | undefined,
): InlineKeyboardMarkup | ForceReply {
  if (!choices) return { force_reply: true, selective: true };
  const button = ({ label }: Choice, index: number) => ({
    text: label.length > labelLimit ? `${label.slice(0, labelLimit - 1)}…` : label || ' ',
    callback_data: toData(token, index),
  });
  const buttons = choices.map(button);
  const short = choices.length <= 3 && choices.every(({ label }) => label.length <= 16);
  const link = url !== undefined && /^https?:/.test(url) ? [[{ text: 'Open', url }]] : [];
  return { inline_keyboard: [...link, ...(short ? [buttons] : buttons.map((one) => [one]))] };
}

/** The same question once it is over, and who decided what. */
export const showOutcome = (html: string, outcome: string): string => `${html}\n\n${escapeHtml(outcome)}`;
