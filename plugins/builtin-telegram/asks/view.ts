import type { InlineKeyboardMarkup, ForceReply } from 'grammy/types';
import type { Question } from 'pegboard';
import { shownLine, shownQuestion } from 'pegboard/channels';
import { escapeHtml } from '../outgoing/styled-text.ts';
import type { ButtonChoice, Step } from './steps.ts';

/** Characters of what is at stake that one message has room for, beside the question. */
const maxDetailLength = 3_000;
const maxMessageLength = 800;
const maxNoteLength = 300;

/**
 * The question as HTML. Text of others stands in blocks, as it is and never as Markdown: no line of it can look like one of
 * the question. What has no room comes as a file before it.
 */
export function showQuestion(question: Question, { label, url }: Step): string {
  const { head, said, detail, notes } = shownQuestion(question);
  const parts = [
    escapeHtml(cut(head, maxMessageLength)),
    inBlock('blockquote', cut(said.join('\n'), maxMessageLength)),
    inBlock('pre', cut(detail.join('\n'), maxDetailLength, '\n… the rest is in the file above')),
    escapeHtml(notes.map((note) => cut(note, maxNoteLength)).join('\n')),
  ];
  if (label !== undefined) parts.push(inBlock('b', cut(shownLine(label), maxNoteLength)));
  if (url !== undefined) parts.push(escapeHtml(cut(shownLine(url), 1_000)));
  return parts.filter((part) => part !== '').join('\n\n') || '?';
}

/** The detail of a question as a file, when it is too long for the message. */
export function detailFile(question: Question): string | undefined {
  const text = shownQuestion(question).detail.join('\n');
  return text.length > maxDetailLength ? text : undefined;
}

const inBlock = (tag: string, text: string): string =>
  text === '' ? '' : `<${tag}>${escapeHtml(text)}</${tag}>`;

const cut = (text: string, longest: number, rest = '…'): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}${rest}`;

/** 22 characters of the token and two of the choice: 24 bytes. */
export const toData = (token: string, choice: number): string => `${token}${String(choice).padStart(2, '0')}`;

export function fromData(data: string): { readonly token: string; readonly choice: number } | undefined {
  const [, token, choice] = /^([\w-]{22})(\d\d)$/.exec(data) ?? [];
  return token === undefined ? undefined : { token, choice: Number(choice) };
}

/** Characters that a button has room for. */
const maxLabelLength = 60;

export function showChoices(
  token: string,
  choices: readonly ButtonChoice[] | undefined,
  url: string | undefined,
): InlineKeyboardMarkup | ForceReply {
  if (!choices) return { force_reply: true, selective: true };
  const button = ({ label }: ButtonChoice, index: number) => ({
    text: label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label || ' ',
    callback_data: toData(token, index),
  });
  const buttons = choices.map(button);
  const short = choices.length <= 3 && choices.every(({ label }) => label.length <= 16);
  const link = url !== undefined && /^https?:/.test(url) ? [[{ text: 'Open', url }]] : [];
  return { inline_keyboard: [...link, ...(short ? [buttons] : buttons.map((one) => [one]))] };
}

/** The question with its outcome and who decided. */
export const showOutcome = (html: string, outcome: string): string =>
  `${html}\n\n${escapeHtml(shownLine(outcome))}`;
