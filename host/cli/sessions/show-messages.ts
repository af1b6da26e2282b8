import { shortTime } from '../../core/text/short-time.ts';
import type { StoredMessage } from '../../store/conversations/messages.ts';
import { firstLine, renderCall } from '../prompt/turn/call-line.ts';
import { writeText } from '../prompt/turn/plain-turn.ts';
import { oneLine, withoutEscapes } from '../terminal/safe.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Messages of a conversation, with the calls of its answers. */
export async function showMessages(messages: readonly StoredMessage[], terminal: Terminal): Promise<void> {
  const { out } = terminal;
  for (const [at, message] of messages.entries()) {
    if (at > 0) out.line();
    if (message.role === 'user') showQuestion(message, terminal);
    else {
      showCalls(message, terminal);
      await writeText(message.text, out);
      showEnd(message, terminal);
    }
  }
}

function showQuestion({ text, at }: StoredMessage, { out }: Terminal): void {
  out.line(out.style.quiet(shortTime(at)));
  const [first, ...rest] = withoutEscapes(text).trim().split('\n');
  for (const line of [`${out.style.name('›')} ${first}`, ...rest.map((more) => `  ${more}`)]) out.line(line);
}

function showCalls({ toolCalls }: StoredMessage, { out }: Terminal): void {
  for (const { ok, tool, args, ms, result } of toolCalls) {
    const mark = ok ? out.style.good('✓') : out.style.bad('✗');
    const note = ok ? '' : firstLine(result);
    out.line(renderCall({ mark, tool, args, note, ms }, Math.min(out.width - 1, 100), out.style));
  }
}

function showEnd({ state, stopped, text }: StoredMessage, { out }: Terminal): void {
  if (state === 'interrupted')
    out.line(out.style.warning(`interrupted${stopped === undefined ? '' : `: ${oneLine(stopped)}`}`));
  else if (stopped !== undefined && !text.includes(stopped)) out.line(out.style.warning(oneLine(stopped)));
}
