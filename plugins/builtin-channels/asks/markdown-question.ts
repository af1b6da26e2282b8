import type { QuestionBlock } from 'pegboard';

/** A question for services that show Markdown. Text is shown as it is, so that text by others can't close its block. */
export function questionInMarkdown(blocks: readonly QuestionBlock[], maxLength: number): string {
  const text = blocks.map(blockOf).join('\n\n');
  if (text.length <= maxLength) return text;
  // Escaping has made it too long.
  return blocks.map((block) => (block.kind === 'quote' ? fenced(block.text) : blockOf(block))).join('\n\n');
}

function blockOf({ kind, text }: QuestionBlock): string {
  if (kind === 'line') return escaped(text);
  if (kind === 'label') return `**${escaped(text)}**`;
  return kind === 'code' && !text.includes('```') ? fenced(text) : escaped(text).replaceAll(/^/gm, '> ');
}

const fenced = (text: string): string => `\`\`\`\n${text.replaceAll('```', '`\u200B`\u200B`')}\n\`\`\``;

/** Everything that is read as Markdown, a mention or a link, as the text that it is. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\`*_~|<>[\]()@:]/g, String.raw`\$&`)
    .replaceAll(/^(\s*)(?=[-#+])/gm, '$1\\')
    .replaceAll(/^(\s*\d+)(?=\.)/gm, '$1\\');
