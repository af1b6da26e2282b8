import type { JsonObject } from 'pegboard';
import type { Mail } from 'pegboard/serving';
import { RpcError } from '../protocol/rpc-error.ts';

export interface AskOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (params: JsonObject) => void;
}

/** The host that was asked has ended. */
export class HostGone extends Error {
  /** Whether it may have begun with what it was asked for. */
  readonly hasRead: boolean;

  constructor(hasRead: boolean) {
    super('the other host has ended');
    this.hasRead = hasRead;
  }
}

interface Question {
  readonly address: string;
  readonly thread: string;
  readonly text: string;
  /** What is sent when the answer isn't wanted any more. */
  readonly cancel: string;
}

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (cause: unknown) => void;
  readonly onEvent: ((params: JsonObject) => void) | undefined;
}

/** Milliseconds between two looks whether the host that was asked still runs. */
const lookMs = 1_000;

/** Questions to other hosts that have no answer yet. */
export class AskedHosts {
  readonly #mail: Mail;
  readonly #waiting = new Map<string, Waiting>();

  constructor(mail: Mail) {
    this.#mail = mail;
  }

  async ask(question: Question, { signal, onEvent }: AskOptions): Promise<JsonObject> {
    const { address, thread, text } = question;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    // It may be rejected while the question is being sent.
    promise.catch(() => {});
    this.#waiting.set(thread, { resolve, reject, onEvent });
    const onAbort = (): void => {
      void this.#cancel(question).catch(() => {});
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    let looking: NodeJS.Timeout | undefined;
    try {
      if (!(await this.#mail.send(address, thread, text))) throw new HostGone(false);
      // A database that fails for a moment says nothing of the host.
      looking = setInterval(() => void this.#endIfGone(question, reject).catch(() => {}), lookMs);
      return await promise;
    } finally {
      clearInterval(looking);
      signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(thread);
    }
  }

  receive(thread: string, kind: 'event' | 'result' | 'error', params: JsonObject): void {
    const waiting = this.#waiting.get(thread);
    if (kind === 'event') waiting?.onEvent?.(params);
    else if (kind === 'result') waiting?.resolve(params);
    else waiting?.reject(toError(params));
  }

  async #endIfGone({ address, thread }: Question, reject: (cause: unknown) => void): Promise<void> {
    if (await this.#mail.isLiving(address)) return;
    // A host that only hung must not begin with it later.
    reject(new HostGone(!(await this.#mail.withdraw(address, thread))));
  }

  async #cancel({ address, thread, cancel }: Question): Promise<void> {
    if (!(await this.#mail.withdraw(address, thread))) await this.#mail.send(address, thread, cancel);
  }
}

const toError = ({ code, message, data, whole }: JsonObject): RpcError =>
  new RpcError(code as number, String(message), data, whole as JsonObject | undefined);
