import { createMarkdownStream } from '../../terminal/markdown/stream.ts';
import { oneLine } from '../../terminal/safe.ts';
import type { Surface, Terminal } from '../../terminal/terminal.ts';
import type { TurnView } from './view.ts';

/** Where nobody sits in front: the answer on stdout once it is whole, what else is to be known on stderr. */
export function openPlainTurn({ out, err }: Terminal): TurnView {
  return {
    onEvent(event) {
      if (event.type === 'notice') err.line(oneLine(event.text));
      if (event.type === 'restart') err.line(oneLine(event.reason));
      if (event.type === 'tool_end' && event.result.error)
        err.line(`✗ ${oneLine(event.tool)}: ${oneLine(event.result.error.message)}`);
    },
    ask: undefined,
    done({ text, stopped }) {
      writeText(text, out);
      if (stopped !== undefined && !text.includes(stopped)) err.line(oneLine(stopped));
    },
    failed(reason) {
      if (reason !== undefined) err.line(reason);
    },
    [Symbol.dispose]() {},
  };
}

/** Markdown as it is written into a pipe or file, rendered on a terminal. */
export function writeText(text: string, out: Surface): void {
  if (text === '') return;
  if (!out.isTerminal) return out.write(text.endsWith('\n') ? text : `${text}\n`);
  const markdown = createMarkdownStream(() => ({ style: out.style, width: Math.min(out.width - 1, 100) }));
  markdown.feed(text);
  for (const line of markdown.end()) out.line(line);
}
