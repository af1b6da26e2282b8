import { renderMarkdown } from '../../terminal/markdown/stream.ts';
import { oneLine } from '../../terminal/safe.ts';
import type { Surface, Terminal } from '../../terminal/terminal.ts';
import type { TurnView } from './view.ts';

/** Without a terminal: the whole answer at once on stdout, notices and errors on stderr. */
export function openPlainTurn({ out, err }: Terminal): TurnView {
  return {
    onEvent(event) {
      if (event.type === 'notice') err.line(oneLine(event.text));
      if (event.type === 'restart') err.line(oneLine(event.reason));
      if (event.type === 'tool_end' && event.result.error)
        err.line(`✗ ${oneLine(event.tool)}: ${oneLine(event.result.error.message)}`);
    },
    ask: undefined,
    async done({ text, stopped }) {
      await writeText(text, out);
      if (stopped !== undefined && !text.includes(stopped)) err.line(oneLine(stopped));
    },
    async failed(reason) {
      if (reason !== undefined) err.line(reason);
    },
    [Symbol.dispose]() {},
  };
}

/** Markdown is rendered on a terminal, and written as it is into a pipe or file. */
export async function writeText(text: string, out: Surface): Promise<void> {
  if (text === '') return;
  if (!out.isTerminal) return out.write(text.endsWith('\n') ? text : `${text}\n`);
  for (const line of await renderMarkdown(text, { style: out.style, width: Math.min(out.width - 1, 100) }))
    out.line(line);
}
