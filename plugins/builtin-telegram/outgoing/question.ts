import type { InlineKeyboardMarkup, ForceReply } from 'grammy/types';
import type { Button, QuestionBlock, SendOptions, StyledMessage } from 'pegboard';
import { escapeHtml } from './styled-text.ts';

const tags = { line: undefined, quote: 'blockquote', code: 'pre', label: 'b' } as const;

/** Words of others stand in blocks that they can't close: they are never read as HTML. */
export const renderQuestion = (blocks: readonly QuestionBlock[]): StyledMessage => ({
  text: blocks.map(({ text }) => text).join('\n\n'),
  markup: blocks
    .map(({ kind, text }) => {
      const tag = tags[kind];
      return tag === undefined ? escapeHtml(text) : `<${tag}>${escapeHtml(text)}</${tag}>`;
    })
    .join('\n\n'),
});

/** Characters that a button has room for. */
const maxLabelLength = 60;

/** What is under a message: buttons, or a reply that is open already. */
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
  const buttons = labelled.map(({ label, data }) => ({
    text: label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label || ' ',
    callback_data: data,
  }));
  const isShort = labelled.length <= 3 && labelled.every(({ label }) => label.length <= 16);
  const above = link === undefined ? [] : [[{ text: 'Open', url: link }]];
  return { inline_keyboard: [...above, ...(isShort ? [buttons] : buttons.map((one) => [one]))] };
}
