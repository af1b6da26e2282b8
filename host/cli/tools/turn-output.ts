import type { TurnEvent } from '../../api/conversation.ts';
import { toJson } from '../../core/documents/written-numbers.ts';
import type { TurnView } from '../prompt/turn/view.ts';
import { createAsk } from '../terminal/ask.ts';
import { openSpinner, type Spinner } from '../terminal/progress.ts';
import { oneLine } from '../terminal/safe.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { truncate } from '../terminal/width.ts';

/**
 * One turn whose answer goes into a pipe or file as it comes, and the tools with their times to stderr. `showText: false`:
 * the caller prints the answer.
 */
export function openTurnOutput(terminal: Terminal, { showText }: { readonly showText: boolean }): TurnView {
  const { out, err } = terminal;
  const running = new Map<string, { readonly tool: string; readonly args: unknown }>();
  let waiting: Spinner | undefined;
  /** The text on stdout has not ended with a line break. */
  let midLine = false;

  const stopWaiting = (): void => {
    waiting?.[Symbol.dispose]();
    waiting = undefined;
  };
  const wait = (label: string): void => {
    stopWaiting();
    waiting = openSpinner(terminal, label);
  };
  const waitForTools = (): void => {
    const tools = [...running.values()].map(({ tool }) => oneLine(tool));
    wait(tools.length > 0 ? `Running ${tools.join(', ')}` : 'Thinking');
  };
  const endLine = (): void => {
    if (midLine) out.line();
    midLine = false;
  };
  const note = (text: string): void => {
    stopWaiting();
    endLine();
    err.line(truncate(text, err.width));
  };

  const onEvent = (event: TurnEvent): void => {
    switch (event.type) {
      case 'text':
        if (!showText) break;
        stopWaiting();
        out.write(event.text);
        midLine = !event.text.endsWith('\n');
        break;
      case 'restart':
        note(err.style.quiet(`retrying: ${oneLine(event.reason)}`));
        wait('Thinking');
        break;
      case 'tool_start':
        endLine();
        running.set(event.callId, event);
        waitForTools();
        break;
      case 'tool_progress':
        waiting?.show({ progress: 0, message: event.message });
        break;
      case 'tool_end': {
        const args = running.get(event.callId)?.args;
        running.delete(event.callId);
        note(callLine(event, args, terminal));
        waitForTools();
        break;
      }
      case 'notice':
        note(err.style.quiet(oneLine(event.text)));
        break;
      case 'thinking':
        break;
    }
  };

  const close = (): void => {
    stopWaiting();
    endLine();
  };
  const person = createAsk(terminal);
  wait('Thinking');
  return {
    onEvent,
    ask:
      person &&
      ((question, signal) => {
        endLine();
        return waiting ? waiting.hiddenFor(() => person(question, signal)) : person(question, signal);
      }),
    done: async () => close(),
    failed: async () => close(),
    [Symbol.dispose]: close,
  };
}

/** "✓ example.greet {"name":"Ada"} · 0.3 s" */
function callLine(
  { tool, result, ms }: Extract<TurnEvent, { readonly type: 'tool_end' }>,
  args: unknown,
  { err: { style, width } }: Terminal,
): string {
  const mark = result.error ? style.bad('✗') : style.good('✓');
  const time = `${(ms / 1000).toFixed(1)} s`;
  const why = result.error ? ` · ${oneLine(result.error.message)}` : '';
  const rest = `${oneLine(toJson(args) ?? '')}${why}`;
  const room = Math.max(20, Math.min(width, 200) - tool.length - time.length - 8);
  return `${mark} ${style.name(oneLine(tool))} ${truncate(rest, room)} ${style.quiet(`· ${time}`)}`;
}
