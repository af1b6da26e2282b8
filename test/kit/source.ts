import type { Listing, SourceKind, ToolSource } from '../../host/api/source.ts';
import type { Tool } from '../../host/api/tool.ts';

/** A tool in this process that returns its arguments; `parts` overrides any member. */
export function echoTool(parts: Partial<Tool> = {}): Tool {
  return {
    name: 'echo',
    description: 'Answers with its arguments',
    parameters: { type: 'object' },
    execute: (args) => JSON.stringify(args),
    ...parts,
  };
}

/** A source in this process whose list can be changed, and which records whether it was closed. */
export interface MemorySource extends ToolSource {
  change(listing: Listing | (() => Listing)): void;
  readonly closed: boolean;
}

export function memorySource(
  tools: readonly Tool[],
  parts: {
    readonly kind?: SourceKind;
    readonly module?: string;
    readonly id?: string;
    readonly origin?: string;
  } = {},
): MemorySource {
  const module = parts.module ?? 'memory';
  let listing: () => Listing = () => ({ tools });
  const listeners = new Set<() => void>();
  let closed = false;
  return {
    kind: 'plugin',
    description: `Tools of ${module}`,
    id: `test:${module}`,
    ...parts,
    module,
    list: () => listing(),
    watch(changed) {
      listeners.add(changed);
      return { [Symbol.dispose]: () => void listeners.delete(changed) };
    },
    change(next) {
      listing = typeof next === 'function' ? next : () => next;
      for (const listener of listeners) listener();
    },
    get closed() {
      return closed;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
    },
  };
}

/** A tool that never ends by itself. `aborts` is aborted when two calls of it run; `stopped` gets what was aborted. */
export function hangingTool(aborts: AbortController, stopped: unknown[]): Tool {
  let running = 0;
  return echoTool({
    name: 'hang',
    execute: (args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.push(args);
          reject(signal.reason as Error);
        });
        if (++running === 2) aborts.abort();
      }),
  });
}
