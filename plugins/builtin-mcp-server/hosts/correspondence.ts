import { randomUUID } from 'node:crypto';
import { type JsonObject, type Logger, parseJson, toJson } from 'pegboard';
import type { Letter, Mail, MailOptions } from 'pegboard/serving';
import { RpcError, toRpcError } from '../protocol/rpc-error.ts';
import { AskedHosts, type AskOptions } from './asked-hosts.ts';

/** Answers a request of another host. What it throws reaches the other host as an RpcError. */
type Answerer = (params: JsonObject, request: HostRequest) => Promise<JsonObject>;

export interface HostRequest {
  /** Aborts when the other host doesn't wait any more, or has ended. */
  readonly signal: AbortSignal;
  /** Sends something before the answer. Never throws. */
  readonly event: (params: JsonObject) => void;
}

/** What the MCP servers of several hosts ask and tell each other. */
export interface Correspondence extends AsyncDisposable {
  /** Of this server, for the others. */
  readonly address: string;
  /** Requests about this come to `answerer`, until it is disposed. */
  answer(about: string, answerer: Answerer): Disposable;
  /**
   * The answer of the server at this address. Throws a HostGone when that has ended, an RpcError of its answerer, the
   * signal's reason, or PEG_DATABASE.
   */
  ask(address: string, about: string, params: JsonObject, options?: AskOptions): Promise<JsonObject>;
  /** The answers of all other servers that run. */
  askOthers(about: string, params: JsonObject): Promise<readonly JsonObject[]>;
  /** News about this come to `listener`, until it is disposed. */
  hear(about: string, listener: (params: JsonObject) => void): Disposable;
  /** Tells all other servers that run. Throws PEG_DATABASE. */
  tellOthers(about: string, params: JsonObject): Promise<void>;
}

type Message =
  | { readonly kind: 'ask'; readonly thread: string; readonly about: string; readonly params: JsonObject }
  | { readonly kind: 'event'; readonly thread: string; readonly params: JsonObject }
  | { readonly kind: 'result'; readonly thread: string; readonly params: JsonObject }
  | { readonly kind: 'error'; readonly thread: string; readonly params: JsonObject }
  | { readonly kind: 'cancel'; readonly thread: string }
  | { readonly kind: 'tell'; readonly about: string; readonly params: JsonObject };

/** Milliseconds between two looks whether the host that asked still runs. */
const lookMs = 2_000;

/** Throws PEG_DATABASE. */
export async function openCorrespondence(
  openMail: (options: Pick<MailOptions, 'onLetter' | 'onError'>) => Promise<Mail>,
  log: Logger,
): Promise<Correspondence & { readonly mail: Mail }> {
  const answerers = new Map<string, Answerer>();
  const listeners = new Map<string, Set<(params: JsonObject) => void>>();
  const answering = new Map<string, AbortController>();
  const lost = (cause: unknown): void => log.warn('a message for another host was lost', { cause });

  const answer = async (
    from: string,
    { thread, about, params }: Message & { kind: 'ask' },
  ): Promise<void> => {
    const controller = new AbortController();
    answering.set(thread, controller);
    // One after the other: what is sent at the same time arrives in any order.
    let sending: Promise<unknown> = Promise.resolve();
    const send = (message: Message): void => {
      sending = sending.then(() => mail.send(from, thread, toText(message))).catch(lost);
    };
    const looking = setInterval(() => {
      const goneIfDead = async (): Promise<void> => {
        if (!(await mail.isLiving(from))) controller.abort(new Error('the client’s host has ended'));
      };
      void goneIfDead().catch(() => {});
    }, lookMs);
    try {
      const answerer = answerers.get(about);
      if (!answerer) throw new RpcError(noAnswerer, `nobody answers ${about} here`);
      const event = (said: JsonObject): void => send({ kind: 'event', thread, params: said });
      const result = await answerer(params, { signal: controller.signal, event });
      send({ kind: 'result', thread, params: result });
    } catch (cause) {
      const { code, message, data, whole } = toRpcError(cause);
      send({ kind: 'error', thread, params: { code, message, data, whole } });
    } finally {
      clearInterval(looking);
      answering.delete(thread);
    }
  };

  const receive = ({ from, body }: Letter): void => {
    const message = parseJson(body) as Message;
    switch (message.kind) {
      case 'ask':
        return void answer(from, message);
      case 'cancel':
        return answering.get(message.thread)?.abort(new Error('the client disconnected'));
      case 'tell':
        return listeners.get(message.about)?.forEach((listener) => listener(message.params));
      case 'event':
      case 'result':
      case 'error':
        return asked.receive(message.thread, message.kind, message.params);
    }
  };

  const mail = await openMail({ onLetter: receive, onError: lost });
  const asked = new AskedHosts(mail);
  const ask: Correspondence['ask'] = async (address, about, params, options = {}) => {
    const thread = randomUUID();
    const text = toText({ kind: 'ask', thread, about, params });
    const cancel = toText({ kind: 'cancel', thread });
    return await asked.ask({ address, thread, text, cancel }, options);
  };
  return {
    mail,
    address: mail.address,
    answer(about, answerer) {
      answerers.set(about, answerer);
      return { [Symbol.dispose]: () => void answerers.delete(about) };
    },
    ask,
    async askOthers(about, params) {
      const all = await Promise.allSettled((await mail.others()).map((other) => ask(other, about, params)));
      return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    },
    hear(about, listener) {
      const all = listeners.get(about) ?? new Set();
      listeners.set(about, all.add(listener));
      return { [Symbol.dispose]: () => void all.delete(listener) };
    },
    tellOthers: (about, params) => mail.sendToOthers('', toText({ kind: 'tell', about, params })),
    async [Symbol.asyncDispose]() {
      for (const controller of answering.values()) controller.abort(new Error('Pegboard is stopping'));
      await mail[Symbol.asyncDispose]();
    },
  };
}

/** JSON-RPC's code for an unknown method. */
const noAnswerer = -32_601;

const toText = (message: Message): string => toJson(message);
