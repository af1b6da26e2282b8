import { createHash, randomUUID } from 'node:crypto';
import type { JsonObject } from 'pegboard';
import type { EndedSessions } from 'pegboard/serving';
import type { OpenSession } from '../client/client-session.ts';
import type { Endpoint } from '../endpoint.ts';
import { createLongLivedServer } from '../protocol/long-lived.ts';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Correspondence } from '../hosts/correspondence.ts';
import { endedHere } from './ended-here.ts';
import { createSessionHosts, type SessionHosts } from './session-hosts.ts';
import { createSessionTransport, type SessionTransport } from './session-transport.ts';
import type { Signer } from './signer.ts';

/** What the sessions of several hosts have in common. */
export interface SharedSessions {
  readonly ended: EndedSessions;
  readonly hosts: Correspondence;
}

/** A connected legacy client. */
export interface Session {
  readonly id: string;
  readonly transport: SessionTransport;
  readonly client: OpenSession;
  usedAt: number;
}

const idPurpose = 'session';
/** A session without an open request or stream is forgotten after this; its id brings it back. */
const keptIdleForMs = 10 * 60_000;
/** Clients that disappear without ending their session would otherwise fill the memory: 40 KB each. */
const maxIdle = 100;

/**
 * The sessions of one endpoint. A session's id holds, signed, what its client said in `initialize`. A client whose id
 * this process doesn't know (after a restart, or after a long silence) continues as if nothing had happened, since most
 * clients can't begin a new session on their own.
 */
export class SessionTable implements AsyncDisposable {
  readonly #endpoint: Endpoint;
  readonly #signer: Signer;
  /** A session continues only where it would be shown the same. */
  readonly #selection: string;
  /** Least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #restoring = new Map<string, Promise<Session>>();
  readonly #ended: EndedSessions;
  readonly #hosts: SessionHosts | undefined;
  readonly #forgetting: NodeJS.Timeout;

  constructor(endpoint: Endpoint, signer: Signer, shared?: SharedSessions) {
    this.#endpoint = endpoint;
    this.#signer = signer;
    this.#selection = endpoint.nameOfSelection;
    this.#ended = shared?.ended ?? endedHere();
    this.#hosts =
      shared &&
      createSessionHosts(shared.hosts, this.#selection, {
        receive: (digest, messages) => this.#withDigest(digest)?.transport.receive(messages),
        end: (digest) => {
          const session = this.#withDigest(digest);
          if (session) void this.#endHere(session);
        },
      });
    this.#forgetting = setInterval(() => this.#forgetIdle(), 60_000).unref();
  }

  /** A new session. `initialize`: what it needs to be restored. */
  async create(initialize: JsonObject): Promise<Session> {
    const id = this.#signer.seal(idPurpose, { id: randomUUID(), selection: this.#selection, initialize });
    const session = await this.#open(id);
    this.#add(session);
    return session;
  }

  /**
   * Restored if this process doesn't know it; undefined for an invalid id, or one of an ended session. Throws
   * PEG_DATABASE.
   */
  async find(id: string): Promise<Session | undefined> {
    const known = this.#sessions.get(id);
    if (known && !this.#hosts) return known;
    if (await this.#ended.has(digestOf(id))) {
      // On another host, a moment ago.
      if (known) await this.#endHere(known);
      return undefined;
    }
    if (known) return known;
    const sealed = this.#signer.open(idPurpose, id);
    if (!sealed || sealed['selection'] !== this.#selection) return undefined;
    let restored = this.#restoring.get(id);
    if (!restored) {
      restored = this.#restore(id, sealed['initialize'] as JsonObject).finally(() =>
        this.#restoring.delete(id),
      );
      this.#restoring.set(id, restored);
    }
    return restored;
  }

  markUsed(session: Session): void {
    session.usedAt = Date.now();
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
  }

  /** Tells other hosts what of these messages is for them, before it is handled here. Throws PEG_DATABASE. */
  async share({ id }: Session, messages: readonly JSONRPCMessage[]): Promise<void> {
    await this.#hosts?.share(digestOf(id), messages);
  }

  /** Ends the session permanently, on all hosts. Throws PEG_DATABASE. */
  async end(session: Session): Promise<void> {
    const digest = digestOf(session.id);
    await this.#ended.add(digest);
    await this.#endHere(session);
    await this.#hosts?.end(digest);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#forgetting);
    this.#hosts?.[Symbol.dispose]();
    await Promise.all([...this.#sessions.values()].map((session) => this.#forget(session)));
  }

  #withDigest(digest: string): Session | undefined {
    return [...this.#sessions.values()].find(({ id }) => digestOf(id) === digest);
  }

  async #endHere(session: Session): Promise<void> {
    await this.#forget(session);
    session.client.end();
  }

  async #open(id: string): Promise<Session> {
    const transport = createSessionTransport({ 'Mcp-Session-Id': id });
    const { face, session, calls } = createLongLivedServer(this.#endpoint, {
      era: 'legacy',
      // The same after a restart, or after a long silence.
      id: digestOf(id),
      headersOf: transport.headersOf,
      send: (message, options) => transport.send(message, options),
    });
    await face.connect(transport);
    const { onmessage } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
    transport.onmessage = (message) => void (calls?.take(message) || onmessage?.(message));
    return { id, transport, client: session, usedAt: Date.now() };
  }

  async #restore(id: string, initialize: JsonObject): Promise<Session> {
    const session = await this.#open(id);
    replay(session.transport, initialize);
    // Changes in the meantime are unknown, so the client should list again.
    await session.transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    this.#add(session);
    return session;
  }

  #add(session: Session): void {
    if (this.#sessions.size >= maxIdle) {
      const idle = [...this.#sessions.values()].filter(({ transport }) => !transport.busy);
      for (const longest of idle.slice(0, Math.max(0, idle.length + 1 - maxIdle))) void this.#forget(longest);
    }
    this.markUsed(session);
  }

  #forgetIdle(): void {
    const before = Date.now() - keptIdleForMs;
    for (const session of this.#sessions.values()) {
      if (session.usedAt < before && !session.transport.busy) void this.#forget(session);
    }
  }

  async #forget({ id, transport }: Session): Promise<void> {
    this.#sessions.delete(id);
    await transport.close();
  }
}

const digestOf = (id: string): string => createHash('sha256').update(id).digest('base64url');

/** Replays the client's first `initialize` to the SDK's server; the client got its response long ago. */
function replay(transport: SessionTransport, initialize: JsonObject): void {
  transport.onmessage?.({
    jsonrpc: '2.0',
    id: 'restored',
    method: 'initialize',
    params: initialize,
  } as never);
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' });
}
