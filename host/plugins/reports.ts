import type { Check } from '../api/diagnostic.ts';

/** What running services say of themselves, for the owner. Of each name, the last report of its plugin counts. */
export interface Reports {
  readonly all: readonly Check[];
  /** Called with every report that says something new. */
  onReport(listener: (report: Check) => void): Disposable;
  /** For one instance of a plugin; disposed with it. */
  open(): Disposable & { report(check: Check): void };
}

export function createReports(): Reports {
  const instances = new Set<Map<string, Check>>();
  const listeners = new Set<(report: Check) => void>();
  return {
    get all() {
      return [...instances].flatMap((reports) => [...reports.values()]);
    },
    onReport(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    open() {
      const reports = new Map<string, Check>();
      instances.add(reports);
      return {
        report(check) {
          const { name, status, message, fix } = check;
          const before = reports.get(name);
          // A retired instance has nothing to say.
          if (!instances.has(reports)) return;
          if (before?.status === status && before.message === message && before.fix === fix) return;
          reports.set(name, check);
          for (const listener of listeners) listener(check);
        },
        [Symbol.dispose]: () => void instances.delete(reports),
      };
    },
  };
}
