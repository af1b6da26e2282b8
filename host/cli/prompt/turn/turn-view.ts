import type { Ask } from '../../../api/ask.ts';
import type { TurnEvent } from '../../../api/conversation.ts';
import { createAsk } from '../../terminal/ask.ts';
import { usageLine } from '../../terminal/figures.ts';
import type { ToolResult } from '../../../api/result.ts';
import type { LiveRegion } from '../../terminal/live-region.ts';
import { languagesLoaded } from '../../terminal/markdown/languages.ts';
import { showPicture } from '../../terminal/pictures/show-picture.ts';
import { oneLine } from '../../terminal/safe.ts';
import type { Style } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { renderCall, summaryOf } from './call-line.ts';
import { createSteps } from './steps.ts';
import { writeText } from './plain-turn.ts';
import { TurnScreen, type TypedAhead } from './turn-screen.ts';
import type { TurnView } from './view.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

const maxThoughts = 1000;

/** A turn on a terminal: the answer as it comes, tools while they run, and below them what is typed ahead. */
export function openTurnView(
  terminal: Terminal,
  region: LiveRegion,
  { input, home }: { readonly input: TypedAhead; readonly home: string },
): TurnView {
  const { out, err } = terminal;
  const { style } = err;
  const screen = new TurnScreen(terminal, region, input);
  const shownPictures = new Set<string>();
  const showPictures = async ({ content }: ToolResult): Promise<void> => {
    for (const block of content) {
      const picture = block.type === 'image' ? showPicture(block, home, err) : undefined;
      // A tool that runs others returns what they returned.
      if (!picture || shownPictures.has(picture.path)) continue;
      shownPictures.add(picture.path);
      screen.add('call', await picture.lines());
    }
  };
  /** What comes after a picture is shown after it. */
  const steps = createSteps();
  const close = (): void => {
    steps.stop();
    screen[Symbol.dispose]();
  };
  return {
    onEvent(event) {
      steps.run(() => {
        apply(event, screen, style);
        screen.drawSoon();
        return event.type === 'tool_end' && hasPicture(event.result) ? showPictures(event.result) : undefined;
      });
    },
    ask: createTurnAsk(terminal, screen),
    async done({ text, usage, stopped }) {
      await steps.done();
      await languagesLoaded();
      screen.addText(screen.stream.end());
      // The answer itself may have said it already.
      if (stopped !== undefined && !text.includes(stopped))
        screen.add('note', [style.warning(oneLine(stopped))]);
      screen.add('note', [style.quiet(usageLine(usage, performance.now() - screen.startedAt)), '']);
      close();
      if (!out.isTerminal) await writeText(text, out);
    },
    async failed(reason) {
      await steps.done();
      await languagesLoaded();
      screen.addText(screen.stream.end());
      screen.add('note', reason === undefined ? [''] : [style.warning(reason), '']);
      close();
    },
    [Symbol.dispose]: close,
  };
}

const hasPicture = ({ content }: ToolResult): boolean => content.some(({ type }) => type === 'image');

function apply(event: TurnEvent, screen: TurnScreen, style: Style): void {
  const note = (text: string): string => style.quiet(`· ${oneLine(text)}`);
  switch (event.type) {
    case 'text':
      screen.thoughts = '';
      screen.stream.feed(event.text);
      break;
    case 'thinking':
      screen.thoughts = (screen.thoughts + event.text).slice(-maxThoughts);
      break;
    case 'restart':
      screen.stream.drop();
      screen.add('note', [note(event.reason)]);
      break;
    case 'tool_start':
      screen.thoughts = '';
      screen.addText(screen.stream.end());
      screen.running.set(event.callId, { ...event, startedAt: performance.now(), note: '' });
      break;
    case 'tool_progress': {
      const call = screen.running.get(event.callId);
      if (call) call.note = event.message;
      break;
    }
    case 'tool_end': {
      const { callId, tool, result, ms } = event;
      const mark = result.error ? style.bad('✗') : style.good('✓');
      const args = screen.running.get(callId)?.args;
      screen.running.delete(callId);
      screen.add('call', [
        renderCall({ mark, tool, args, note: summaryOf(result), ms }, screen.width, style),
      ]);
      break;
    }
    case 'notice':
      screen.add('note', [note(event.text)]);
      break;
  }
}

/** Asks one question after the other, also those of tools that run side by side. */
function createTurnAsk(terminal: Terminal, screen: TurnScreen): Ask | undefined {
  const person = createAsk(terminal);
  if (!person) return undefined;
  const { style } = terminal.err;
  let previous: Promise<unknown> = Promise.resolve();
  const askNow: Ask = async (question, signal) => {
    await terminal.keyboard.untilIdle(signal);
    screen.hide();
    try {
      const answer = await person(question, signal);
      return {
        ...answer,
        onLost: ({ message }) => screen.add('note', [style.warning(asSentence(oneLine(message)))]),
      };
    } finally {
      screen.show();
    }
  };
  return (question, signal) => {
    const answer = previous.then(() => {
      signal.throwIfAborted();
      return askNow(question, signal);
    });
    previous = answer.catch(() => {});
    return answer;
  };
}
