import type { Token, Tokens } from 'marked';
import { widthOf } from '../width.ts';
import { childrenOf, toFlow } from './inline.ts';
import { languageOf } from './languages.ts';
import { paintCode } from './paint-code.ts';
import { layOut, type PageLayout } from './runs.ts';
import { renderMarkdownTable } from './table.ts';

const maxRuleWidth = 72;

/** Lines of blocks, one empty line between two of them. Lines of code may be longer than the page is wide. */
export function renderBlocks(tokens: readonly Token[], page: PageLayout): string[] {
  const blocks = tokens.map((token) => renderBlock(token, page)).filter((lines) => lines.length > 0);
  return blocks.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

function renderBlock(token: Token, page: PageLayout): string[] {
  const { style, width } = page;
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return layOut(toFlow(childrenOf(token), style, token.depth === 1 ? style.heading : style.title), width);
    case 'code':
      return renderCode(token as Tokens.Code, page);
    case 'blockquote':
      return indented(renderBlocks(childrenOf(token) ?? [], narrower(page, 2)), style.quiet('│ '));
    case 'list':
      return renderList(token as Tokens.List, page);
    case 'table':
      return renderMarkdownTable(token as Tokens.Table, page);
    case 'hr':
      return [rule('', page)];
    case 'html':
      return token.raw.trim().split('\n');
    default:
      return layOut(toFlow(childrenOf(token) ?? [token], style), width);
  }
}

/** Between two rules, so that what is copied is the code and nothing else. */
function renderCode({ text, lang }: Tokens.Code, page: PageLayout): string[] {
  const language = lang?.trim().split(/\s/)[0] ?? '';
  const code = paintCode(text.replaceAll('\t', '    '), languageOf(language), page.style);
  return [rule(language, page), ...code, rule('', page)];
}

function rule(label: string, { style, width }: PageLayout): string {
  const length = Math.max(4, Math.min(width, maxRuleWidth));
  const start = label === '' ? '' : `── ${label} `;
  return style.quiet(start + '─'.repeat(Math.max(0, length - widthOf(start))));
}

function renderList({ ordered, start, items, loose }: Tokens.List, page: PageLayout): string[] {
  const first = typeof start === 'number' ? start : 1;
  const markerWidth = ordered ? `${first + items.length - 1}. `.length : 2;
  return items.flatMap((item, at) => {
    const [head = '', ...rest] = renderItem(item, narrower(page, markerWidth));
    const gap = loose && at > 0 ? [''] : [];
    const marker = ordered ? `${first + at}. `.padStart(markerWidth) : bullet(item);
    const paint = item.checked ? page.style.good : page.style.quiet;
    return [...gap, paint(marker) + head, ...indented(rest, ' '.repeat(markerWidth))];
  });
}

const bullet = ({ task, checked }: Tokens.ListItem): string => (task ? (checked ? '☑ ' : '☐ ') : '• ');

/** In a tight item there is no empty line after its first text. */
function renderItem({ tokens, loose }: Tokens.ListItem, page: PageLayout): string[] {
  const own = tokens.filter(({ type }) => type !== 'checkbox');
  return loose ? renderBlocks(own, page) : own.flatMap((token) => renderBlock(token, page));
}

function indented(lines: readonly string[], by: string): string[] {
  return lines.map((line) => (line === '' && by.trim() === '' ? '' : by + line));
}

const narrower = (page: PageLayout, by: number): PageLayout => ({
  ...page,
  width: Math.max(10, page.width - by),
});
