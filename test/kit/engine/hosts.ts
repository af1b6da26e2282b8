import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command, HostEvent } from './protocol.ts';

export type SeenEvent = Exclude<HostEvent, { event: 'ready' | 'answer' }> & {
  readonly host: string;
  /** performance.now() */
  readonly at: number;
};

export interface HostUnderTest {
  readonly name: string;
  readonly process: ChildProcess;
  ask<T = unknown>(command: Command): Promise<T>;
  kill(): Promise<void>;
  freeze(): void;
  wake(): void;
}

/** Hosts of one database, and what happened on them, in order. Disposing kills them. */
export interface HostsUnderTest extends AsyncDisposable {
  readonly seen: readonly SeenEvent[];
  start(name: string): Promise<HostUnderTest>;
  /** What has begun: "b2.1" is the first attempt of job 2 on host b. */
  began(name: string): readonly string[];
  /** Waits until something has happened. */
  until(what: (seen: readonly SeenEvent[]) => boolean, timeoutMs?: number): Promise<void>;
}

export function openHosts(url: string): HostsUnderTest {
  const seen: SeenEvent[] = [];
  const all: ChildProcess[] = [];
  return {
    seen,
    async start(name) {
      const child = fork(join(import.meta.dirname, 'host-process.ts'), [url], {
        execArgv: ['--no-warnings'],
      });
      all.push(child);
      // Each command waits for its end too.
      child.setMaxListeners(0);
      const answers = new Map<number, (answer: Extract<HostEvent, { event: 'answer' }>) => void>();
      let asked = 0;
      await new Promise<void>((resolve, reject) => {
        child.once('exit', (code) => reject(new Error(`the host ${name} ended with ${code}`)));
        child.on('message', (event: HostEvent) => {
          if (event.event === 'ready') resolve();
          else if (event.event === 'answer') answers.get(event.id)?.(event);
          else seen.push({ ...event, host: name, at: performance.now() });
        });
      });
      return {
        name,
        process: child,
        async ask<T>(command: Command) {
          const id = ++asked;
          const answer = new Promise<Extract<HostEvent, { event: 'answer' }>>((resolve, reject) => {
            answers.set(id, resolve);
            child.once('exit', () => reject(new Error(`the host ${name} has ended`)));
          });
          child.send({ ...command, id });
          const { value, error } = await answer;
          if (error !== undefined) throw new Error(error);
          return value as T;
        },
        async kill() {
          child.kill('SIGKILL');
          await once(child, 'exit');
        },
        freeze: () => void child.kill('SIGSTOP'),
        wake: () => void child.kill('SIGCONT'),
      };
    },
    began: (name) =>
      seen
        .filter((one) => one.event === 'began' && one.name === name)
        .map(({ host, n, attempt }) => `${host}${n}.${attempt}`),
    async until(what, timeout = 60_000) {
      await eventually(() => what(seen), timeout);
    },
    async [Symbol.asyncDispose]() {
      for (const child of all.filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      )) {
        child.kill('SIGKILL');
        child.kill('SIGCONT');
        await once(child, 'exit');
      }
    },
  };
}

/** `expect.poll` can't be used in tests that run side by side. */
export async function eventually(
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  for (const until = performance.now() + timeoutMs; !(await isTrue());) {
    if (performance.now() > until) throw new Error(`it did not happen: ${isTrue.toString()}`);
    await delay(20);
  }
}
