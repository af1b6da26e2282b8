import type { Ask } from '../../../api/ask.ts';
import type { TurnEvent } from '../../../api/conversation.ts';
import { createAsk } from '../../terminal/ask.ts';
import { shortTime, usageLine } from '../../terminal/figures.ts';
import type { LiveRegion } from '../../terminal/live-region.ts';
import { createMarkdownStream } from '../../terminal/markdown/stream.ts';
import { oneLine } from '../../terminal/safe.ts';
import { frames } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { truncate, widthOf } from '../../terminal/width.ts';
import type { Input } from '../input.ts';
import { writeText } from './plain-turn.ts';
import type { TurnView } from './view.ts';
import { renderCall, summaryOf } from './call-line.ts';

/** Where what is typed meanwhile is kept. */
export type TypedAhead = Pick<Input, 'ahead' | 'onAhead' | 'still' | 'left'>;

interface Running {
  readonly tool: string;
  readonly args: unknown;
  readonly startedAt: number;
  note: string;
}

/** What stands on the screen, by kind: an empty line parts two of them. */
type Kind = 'said' | 'done' | 'noted';

const frameMs = 100;
/** Text that comes faster is drawn together. */
const drawMs = 33;
/** Lines longer than this are hard to read. */
const maxWidth = 100;

/**
 * The answer as it comes, tools while they run, and below them what is typed ahead. What is finished stays on the
 * screen; the rest is drawn in `region`.
 */
export function openTurnView(terminal: Terminal, region: LiveRegion, input: TypedAhead): TurnView {
  const { out, err } = terminal;
  const { style } = err;
  const startedAt = performance.now();
  const running = new Map<string, Running>();
  const stream = createMarkdownStream(() => ({ style, width: Math.min(region.width, maxWidth) }));
  const kept: string[] = [];
  let thoughts = '';
  let last: Kind | undefined;
  let asking = false;
  let asked: Promise<unknown> = Promise.resolve();
  let drawing: NodeJS.Timeout | undefined;

  /** Shown with the next picture; never a moment later than what it replaces is gone. */
  const keep = (kind: Kind, lines: readonly string[]): void => {
    if (lines.length === 0) return;
    kept.push(...(last === kind ? lines : ['', ...lines]));
    last = kind;
  };
  const keepText = (lines: readonly string[]): void => {
    if (out.isTerminal) keep('said', lines);
  };
  const takeKept = (): string[] => kept.splice(0);

  const draw = (): void => {
    clearTimeout(drawing);
    drawing = undefined;
    if (asking) return;
    keepText(stream.finished());
    const text = out.isTerminal ? stream.unfinished() : [];
    const calls = [...running.values()].map(drawRunning);
    const ahead = input.ahead(region.width).map(style.quiet);
    const parted = (kind: Kind, lines: readonly string[]): readonly string[] =>
      lines.length === 0 || last === kind ? lines : ['', ...lines];
    const below = ahead.length === 0 ? [] : ['', ...ahead];
    const status = calls.length > 0 ? [drawStatus()] : ['', drawStatus()];
    region.draw([...parted('said', text), ...parted('done', calls), ...status, ...below], {
      above: takeKept(),
    });
  };
  const drawSoon = (): void => {
    drawing ??= setTimeout(draw, drawMs);
  };
  const frame = (): string => frames[Math.floor((performance.now() - startedAt) / frameMs) % frames.length]!;
  const drawRunning = ({ tool, args, note, startedAt: began }: Running): string =>
    renderCall(
      { mark: style.name(frame()), tool, args, note, ms: performance.now() - began },
      region.width,
      style,
    );
  const drawStatus = (): string => {
    const time = shortTime(performance.now() - startedAt);
    const mark = running.size > 0 ? ' ' : style.name(frame());
    const label = input.left ? 'leaving' : 'Ctrl-C stops';
    const head = `${time} · ${label}`;
    const thought = truncate(lastThought(thoughts), Math.max(0, region.width - widthOf(head) - 6));
    return `${mark} ${style.quiet(head)}${thought === '' ? '' : style.quiet(style.emphasis(` · ${thought}`))}`;
  };

  const onEvent = (event: TurnEvent): void => {
    switch (event.type) {
      case 'text':
        thoughts = '';
        stream.feed(event.text);
        break;
      case 'thinking':
        thoughts = (thoughts + event.text).slice(-1000);
        break;
      case 'restart':
        stream.drop();
        keep('noted', [note(event.reason)]);
        break;
      case 'tool_start':
        thoughts = '';
        keepText(stream.end());
        running.set(event.callId, { ...event, startedAt: performance.now(), note: '' });
        break;
      case 'tool_progress': {
        const call = running.get(event.callId);
        if (call) call.note = event.message;
        break;
      }
      case 'tool_end': {
        const { callId, tool, result, ms } = event;
        const mark = result.error ? style.bad('✗') : style.good('✓');
        const args = running.get(callId)?.args;
        running.delete(callId);
        keep('done', [renderCall({ mark, tool, args, note: summaryOf(result), ms }, region.width, style)]);
        break;
      }
      case 'notice':
        keep('noted', [note(event.text)]);
        break;
    }
    drawSoon();
  };
  const note = (text: string): string => style.quiet(`· ${oneLine(text)}`);

  const person = createAsk(terminal);
  const askNow: Ask = async (question, signal) => {
    await input.still(signal);
    asking = true;
    region.draw([], { above: [...takeKept(), ''] });
    region.clear();
    try {
      const answer = await person!(question, signal);
      return { ...answer, onLost: ({ message }) => keep('noted', [style.warning(`${oneLine(message)}.`)]) };
    } finally {
      asking = false;
      last = 'noted';
      draw();
    }
  };
  /** One question after the other: those of tools that run side by side, too. */
  const ask: Ask = (question, signal) => {
    const answer = asked.then(() => {
      signal.throwIfAborted();
      return askNow(question, signal);
    });
    asked = answer.catch(() => {});
    return answer;
  };

  const close = (): void => {
    clearInterval(timer);
    clearTimeout(drawing);
    input.onAhead = undefined;
    keepText(stream.end());
    region.draw([], { above: takeKept() });
    region.clear();
  };
  const timer = setInterval(draw, frameMs);
  input.onAhead = drawSoon;
  draw();

  return {
    onEvent,
    ask: person && ask,
    done({ text, usage, stopped }) {
      keepText(stream.end());
      // Whoever was told by the answer itself need not be told twice.
      if (stopped !== undefined && !text.includes(stopped)) keep('noted', [style.warning(oneLine(stopped))]);
      keep('noted', [style.quiet(usageLine(usage, performance.now() - startedAt)), '']);
      close();
      if (!out.isTerminal) writeText(text, out);
    },
    failed(reason) {
      keepText(stream.end());
      keep('noted', reason === undefined ? [''] : [style.warning(reason), '']);
      close();
    },
    [Symbol.dispose]: close,
  };
}

/** Of what a model thinks, the sentence that it is at. */
function lastThought(thoughts: string): string {
  const lines = thoughts.split('\n').filter((line) => line.trim() !== '');
  return oneLine(lines.at(-1) ?? '');
}
