import type { JsonObject } from 'pegboard';
import type { Signer } from '../http/signer.ts';
import type { Exchange } from '../protocol/exchange.ts';
import { invalidParams } from '../protocol/rpc-error.ts';
import type { RoundCall } from './round-call.ts';

const statePurpose = 'request-state';
/** How long a client may take between two rounds. */
const retentionMs = 10 * 60_000;
const maxSuspended = 256;

/** Where a call waits, and for which answer. */
export interface SuspendedAt {
  readonly id: string;
  readonly round: number;
  /** The address of the server that has the call; undefined: this one. */
  readonly elsewhere: string | undefined;
}

/** Calls that wait between two rounds, for the client to come back with answers. */
export class SuspendedCalls implements Disposable {
  readonly #calls = new Map<string, RoundCall>();
  readonly #signer: Signer;
  readonly #address: string | undefined;

  /** `address`: that of this server, where a client may come back to another one. */
  constructor(signer: Signer, address?: string) {
    this.#signer = signer;
    this.#address = address;
  }

  /** The `input_required` answer that ends this round. */
  suspend(call: RoundCall): JsonObject {
    call.waiting = true;
    call.round++;
    this.#calls.delete(call.id);
    this.#calls.set(call.id, call);
    if (this.#calls.size > maxSuspended)
      this.abort(this.#calls.values().next().value!, 'too many calls wait for an answer');
    clearTimeout(call.expiry);
    call.expiry = setTimeout(
      () => this.abort(call, 'the client did not come back with an answer'),
      retentionMs,
    ).unref();
    const { id, round, digest } = call;
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(
        [...call.questions].map(([name, { method, params }]) => [name, { method, params }]),
      ),
      requestState: this.#signer.seal(statePurpose, {
        id,
        round,
        digest: digest(),
        ...(this.#address !== undefined && { host: this.#address }),
      }),
    };
  }

  /** What a request continues. Throws invalid params for a wrong state. */
  read({ requestState }: Exchange, digest: string): SuspendedAt {
    const state = this.#signer.open(statePurpose, requestState);
    if (!state || state['digest'] !== digest) throw invalidParams('Invalid or expired requestState');
    const { id, round, host } = state;
    const elsewhere = typeof host === 'string' && host !== this.#address ? host : undefined;
    return { id: String(id), round: round as number, elsewhere };
  }

  /** Undefined when the call has expired. Throws invalid params for a round that is over. */
  find({ id, round }: Omit<SuspendedAt, 'elsewhere'>): RoundCall | undefined {
    const call = this.#calls.get(id);
    if (call && (!call.waiting || call.round !== round))
      throw invalidParams('This requestState was already answered');
    return call;
  }

  release(call: RoundCall): void {
    clearTimeout(call.expiry);
    this.#calls.delete(call.id);
  }

  abort(call: RoundCall, reason: string): void {
    this.release(call);
    call.controller.abort(new Error(reason));
  }

  [Symbol.dispose](): void {
    for (const call of this.#calls.values()) this.abort(call, 'Pegboard is stopping');
  }
}
