import type { Progress } from '../../api/tool.ts';
import { progressText } from '../../core/text/progress-text.ts';
import { oneLine } from './safe.ts';
import type { Terminal } from './terminal.ts';
import { truncate } from './width.ts';

export const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Work that ends sooner shows nothing. */
const patienceMs = 400;
const intervalMs = 80;

/** A spinner on stderr with the time that has passed; nothing where stderr is no terminal. */
export interface Spinner extends Disposable {
  show(progress: Progress): void;
  /** Hides it while a person is asked. */
  hiddenFor<T>(work: () => Promise<T>): Promise<T>;
}

export function openSpinner({ err }: Terminal, label: string): Spinner {
  const startedAt = performance.now();
  const title = oneLine(label);
  let detail = '';
  let frame = 0;
  let shown = false;
  let hidden = 0;
  const draw = (): void => {
    const seconds = (performance.now() - startedAt) / 1000;
    if (hidden > 0 || seconds * 1000 < patienceMs) return;
    const text = truncate(`${title}${detail} · ${seconds.toFixed(0)} s`, err.width - 3);
    err.write(`\r\x1b[K${err.style.name(frames[frame++ % frames.length]!)} ${text}`);
    shown = true;
  };
  const clear = (): void => {
    if (shown) err.write('\r\x1b[K');
    shown = false;
  };
  const timer = err.isTerminal ? setInterval(draw, intervalMs).unref() : undefined;
  return {
    show(progress) {
      detail = ` · ${oneLine(progressText(progress))}`;
    },
    async hiddenFor(work) {
      hidden++;
      clear();
      try {
        return await work();
      } finally {
        hidden--;
      }
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}
