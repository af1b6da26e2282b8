import dns from 'node:dns';
import { vi } from 'vitest';

type NameFault = 'ENOTFOUND' | 'EAI_AGAIN' | 'never answers';

/** Names under "telegram.test" resolve to this machine, unless they fail like in a resolver. */
export interface FailingNames extends Disposable {
  fail(name: string, fault: NameFault): void;
  mend(name: string): void;
  /** Resolves when the name was resolved this often since it began to fail. */
  asked(name: string, times: number): Promise<void>;
}

type Done = (cause: Error | null, ...found: unknown[]) => void;

export function openFailingNames(): FailingNames {
  const faults = new Map<string, { readonly fault: NameFault; times: number }>();
  const usual = dns.lookup as (...all: unknown[]) => void;
  const lookup = (host: string, ...rest: unknown[]): void => {
    if (!host.endsWith('.telegram.test')) return usual(host, ...rest);
    const done = rest.at(-1) as Done;
    const failing = faults.get(host);
    if (!failing) {
      const isAll = (rest[0] as { readonly all?: boolean }).all === true;
      const found = isAll ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4];
      return process.nextTick(() => done(null, ...found));
    }
    const { fault } = failing;
    failing.times++;
    if (fault !== 'never answers')
      process.nextTick(() => done(Object.assign(new Error(`getaddrinfo ${fault} ${host}`), { code: fault })));
  };
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup);
  return {
    fail: (name, fault) => void faults.set(name, { fault, times: 0 }),
    mend: (name) => void faults.delete(name),
    asked: async (name, times) => {
      await vi.waitUntil(() => faults.get(name)!.times >= times, { timeout: 30_000 });
    },
    [Symbol.dispose]: () => spy.mockRestore(),
  };
}
