import type { Token } from 'marked';
import { isIntricateMarkdown } from '../../../core/foreign/intricate-markdown.ts';
import { lexMarkdown } from '../../../core/text/lex-markdown.ts';
import { createCleaner } from '../cleaner.ts';
import { renderBlocks } from './blocks.ts';
import type { PageLayout } from './runs.ts';
import { closeInline } from './close-inline.ts';
import { isLoadingLanguage, languagesLoaded } from './languages.ts';

/** Markdown that comes in pieces. */
export interface MarkdownStream {
  feed(text: string): void;
  /** The lines of the blocks that became final since the last call. */
  finished(): string[];
  /** The lines of the block that is still being written. */
  unfinished(): string[];
  /** The remaining lines. The stream may be fed again after that. */
  end(): string[];
  /** Drops what wasn't finished. */
  drop(): void;
}

/** `page` is called for each rendering, since a window may change its width. */
export function createMarkdownStream(page: () => PageLayout): MarkdownStream {
  const cleaner = createCleaner();
  let text = '';
  let shown = false;

  const render = (tokens: readonly Token[]): string[] => {
    const lines = renderBlocks(tokens, page());
    return shown && lines.length > 0 ? ['', ...lines] : lines;
  };
  return {
    feed(more) {
      text += cleaner.clean(more);
    },
    finished() {
      const settled = settledIn(read(text));
      const source = settled.map(({ raw }) => raw).join('');
      if (source === '' || !text.startsWith(source)) return [];
      const lines = render(settled);
      // Code stays with the unfinished until its colours are there: what is finished is never drawn again.
      if (isLoadingLanguage()) return [];
      text = text.slice(source.length);
      shown ||= lines.length > 0;
      return lines;
    },
    unfinished: () => render(read(closeInline(text))),
    end() {
      const tokens = read(text + cleaner.end());
      text = '';
      const lines = render(tokens);
      shown = false;
      return lines;
    },
    drop() {
      cleaner.end();
      text = '';
      shown = false;
    },
  };
}

/** The lines of a whole text. */
export async function renderMarkdown(text: string, page: PageLayout): Promise<string[]> {
  const markdown = createMarkdownStream(() => page);
  markdown.feed(text);
  // This finds out which languages it has.
  markdown.unfinished();
  await languagesLoaded();
  return markdown.end();
}

/** Text that is too intricate for the lexer, or that it fails on, is shown as it is written. */
function read(text: string): readonly Token[] {
  const asWritten = [{ type: 'html', raw: text }];
  if (isIntricateMarkdown(text)) return asWritten;
  try {
    // Models break lines where they mean it, as in chats.
    return lexMarkdown(text, { breaks: true });
  } catch {
    return asWritten;
  }
}

/** The start of a marker: what it will become, and what it belongs to, isn't known yet. */
const undecided = /^\s*(?:\d{1,9}[.)]?|[-*+_]{1,2}|[`~]{1,2}|#{1,6}|[|>=])?\s*$/;
/** These end with an empty line; the others may continue after one. */
const closedByEmptyLine = new Set(['paragraph', 'heading', 'hr', 'table', 'def']);

function settledIn(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  if (last < 0) return [];
  const { type, raw } = tokens[last]!;
  const after = raw.slice(raw.trimEnd().length) + (tokens[last + 1]?.raw ?? '');
  if (closedByEmptyLine.has(type) && /\n[ \t]*\n/.test(after)) return tokens;
  // The start of a next item, perhaps: the list before isn't done either.
  const previous = tokens.findLastIndex(({ type: before }, at) => at < last && before !== 'space');
  return tokens.slice(0, undecided.test(raw) ? Math.max(0, previous) : last);
}
