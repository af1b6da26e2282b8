import type { Button, QuestionBlock, SendOptions, StyledMessage } from 'pegboard';

const maxMessageLength = 2_000;

/** Text is shown as it is, so that text by others can't close its block. */
export function renderQuestion(blocks: readonly QuestionBlock[]): StyledMessage {
  const text = blocks.map(blockOf).join('\n\n');
  if (text.length <= maxMessageLength) return { text };
  // Escaping has made it too long.
  return {
    text: blocks.map((block) => (block.kind === 'quote' ? fenced(block.text) : blockOf(block))).join('\n\n'),
  };
}

function blockOf({ kind, text }: QuestionBlock): string {
  if (kind === 'line') return escaped(text);
  if (kind === 'label') return `**${escaped(text)}**`;
  return kind === 'code' && !text.includes('```') ? fenced(text) : escaped(text).replaceAll(/^/gm, '> ');
}

const fenced = (text: string): string => `\`\`\`\n${text.replaceAll('```', '`\u200B`\u200B`')}\n\`\`\``;

/** Everything that Discord reads as Markdown, a mention or a link, as the text that it is. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\`*_~|<>[\]()@:]/g, String.raw`\$&`)
    .replaceAll(/^(\s*)(?=[-#+])/gm, '$1\\')
    .replaceAll(/^(\s*\d+)(?=\.)/gm, '$1\\');

/** Discord's limits. */
const maxLabelLength = 80;
const maxUrlLength = 512;
const maxButtons = 25;
const rowLength = 5;
const types = { row: 1, button: 2 };
const styles = { secondary: 2, link: 5 };

export interface ButtonRow {
  readonly type: number;
  readonly components: readonly object[];
}

/** The buttons of a message. Of more than fit, the last one stays: it declines. The others can be written as a reply. */
export function rowsOf({ buttons = [], link }: Pick<SendOptions, 'buttons' | 'link'>): readonly ButtonRow[] {
  const opening =
    link !== undefined && link.length <= maxUrlLength
      ? [{ type: types.button, style: styles.link, label: 'Open', url: link }]
      : [];
  const room = maxButtons - opening.length;
  const shown = buttons.length > room ? [...buttons.slice(0, room - 1), ...buttons.slice(-1)] : buttons;
  const all = [...opening, ...shown.map(toButton)];
  return Array.from({ length: Math.ceil(all.length / rowLength) }, (_, row) => ({
    type: types.row,
    components: all.slice(row * rowLength, (row + 1) * rowLength),
  }));
}

const toButton = ({ label, data }: Button): object => ({
  type: types.button,
  style: styles.secondary,
  label: label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label.trim() || '…',
  custom_id: data,
});
