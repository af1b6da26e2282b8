import { EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import type { Terminal as ScreenOf } from '@xterm/headless';
import { patience, type RunningCli } from './follow.ts';
import type { Size } from './output.ts';

// Its entry for `import` is missing in the package.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof ScreenOf };

/** A command on a terminal. */
export interface RunningOnTerminal extends RunningCli {
  /** What a person sees now, without colours and spaces at the ends of lines. */
  screen(): string;
  /** Resolves with the screen as soon as it matches; rejects when the process ends before. */
  screenShows(pattern: RegExp): Promise<string>;
}

/** Draws the output of a command as a terminal does. */
export function watchScreen(running: RunningCli, size: Size): RunningOnTerminal {
  const terminal = new Terminal({ ...size, allowProposedApi: true });
  const news = new EventEmitter().setMaxListeners(0);
  const drawn = (): void => void news.emit('news');
  running.child.stdout.on('data', (text: string) => terminal.write(text, drawn));
  let isOver = false;
  void running.ended.then(() =>
    terminal.write('', () => {
      isOver = true;
      drawn();
    }),
  );
  const screen = (): string => {
    const { active } = terminal.buffer;
    const lines = Array.from({ length: size.rows }, (_, row) =>
      active.getLine(active.viewportY + row)!.translateToString(true),
    );
    return lines.join('\n').trimEnd();
  };
  return {
    ...running,
    screen,
    async screenShows(pattern) {
      const signal = AbortSignal.timeout(patience);
      for (;;) {
        const shown = screen();
        if (pattern.test(shown)) return shown;
        if (isOver) throw new Error(`ended before the screen showed ${pattern}:\n${shown}`);
        await once(news, 'news', { signal }).catch(() => {
          throw new Error(`no ${pattern} on the screen within ${patience / 1000} s:\n${screen()}`);
        });
      }
    },
  };
}
