import type { Logger } from '../../../api/log.ts';

export interface Listeners<T> {
  add(listener: (event: T) => void): Disposable;
  /** A listener that throws doesn't affect the others. */
  emit(event: T): void;
}

export function createListeners<T>(log: Logger): Listeners<T> {
  const listeners = new Set<(event: T) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (cause) {
          log.error('a listener failed', { cause });
        }
      }
    },
  };
}
