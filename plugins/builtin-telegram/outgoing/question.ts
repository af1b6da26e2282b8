import type { InlineKeyboardMarkup, ForceReply } from 'grammy/types';
import type { Button, QuestionBlock, SendOptions, StyledMessage } from 'pegboard';
import { escapeHtml } from './styled-text.ts';

const tags = { line: undefined, quote: 'blockquote', code: 'pre', label: 'b' } as const;

/** Text is escaped, so that text by others can't close its block. */
export const renderQuestion = (blocks: readonly QuestionBlock[]): StyledMessage => ({
  text: blocks.map(({ text }) => text).join('\n\n'),
  markup: blocks
    .map(({ kind, text }) => {
      const tag = tags[kind];
      return tag === undefined ? escapeHtml(text) : `<${tag}>${escapeHtml(text)}</${tag}>`;
    })
    .join('\n\n'),
});

/** The reply markup of a message: buttons, or a prompt to reply. */
export function markupOf({ buttons, link, awaitsText }: SendOptions): {
  reply_markup?: InlineKeyboardMarkup | ForceReply;
} {
  if (awaitsText) return { reply_markup: { force_reply: true, selective: true } };
  const keyboard = keyboardOf(buttons, link);
  return keyboard ? { reply_markup: keyboard } : {};
}

export function keyboardOf(
  labelled: readonly Button[] | undefined,
  link?: string,
): InlineKeyboardMarkup | undefined {
  if (!labelled) return undefined;
  const buttons = labelled.map(({ label, data }) => ({ text: label, callback_data: data }));
  const isShort = labelled.length <= 3 && labelled.every(({ label }) => label.length <= 16);
  const above = link === undefined ? [] : [[{ text: 'Open', url: link }]];
  return { inline_keyboard: [...above, ...(isShort ? [buttons] : buttons.map((one) => [one]))] };
}
