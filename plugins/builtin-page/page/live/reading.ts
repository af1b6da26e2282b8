import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { get, messageOf } from '../api.ts';
import { changes } from './live.ts';

/** Something that the host knows, as it was when it was last read. */
export interface Reading<T> {
  /** The last known one stays while a newer one is read, and when that fails. */
  readonly value: ReadonlySignal<T | undefined>;
  /** Why it could not be read. */
  readonly problem: ReadonlySignal<string | undefined>;
  read(): Promise<void>;
  /** Reads it now and when it may be old, until the returned function is called. */
  follow(): () => void;
}

/** Milliseconds for which changes are collected. */
const collectMs = 150;

export function reading<T>(path: string): Reading<T> {
  const value = signal<T | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  let reads = 0;
  const read = async (): Promise<void> => {
    const own = ++reads;
    try {
      const found = await get<T>(path);
      // The answer to a later question may have come first.
      if (own !== reads) return;
      value.value = found;
      problem.value = undefined;
    } catch (cause) {
      if (own === reads) problem.value = messageOf(cause);
    }
  };
  const follow = (): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const stop = effect(() => {
      void changes.value;
      clearTimeout(timer);
      timer = setTimeout(() => void read(), isFirst ? 0 : collectMs);
      isFirst = false;
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  };
  return { value, problem, read, follow };
}
