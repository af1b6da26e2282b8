import { signal } from '@preact/signals';
import { ApiError, get } from './api.ts';

/** A request that waits until its person has typed a code. */
export interface WaitingProof {
  /** Why a code is needed, and the command that shows one. */
  readonly reason: string;
  /** `isProven`: false when they gave up. */
  readonly done: (isProven: boolean) => void;
}

export const waitingProof = signal<WaitingProof | undefined>(undefined);

/** Runs `act`, and once more after a code was typed if it needs one. Undefined: the person gave up. Throws like `act`. */
export async function withProof<T>(act: () => Promise<T>): Promise<T | undefined> {
  let reason: string;
  try {
    return await act();
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'PROOF_NEEDED') throw cause;
    reason = cause.message;
  }
  const isProven = await new Promise<boolean>((done) => {
    waitingProof.value?.done(false);
    waitingProof.value = { reason, done };
  });
  waitingProof.value = undefined;
  return isProven ? await act() : undefined;
}

/** Asks for a code, unless one was typed lately: for what is sent only once. Whether there is one. Throws ApiError. */
export const prove = async (): Promise<boolean> =>
  (await withProof(async () => {
    await get('proven');
    return true;
  })) === true;
