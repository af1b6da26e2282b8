import { signal } from '@preact/signals';
import { ApiError } from './api.ts';

/** A request that waits until its person has typed a code. */
export interface WaitingProof {
  /** `isProven`: false when they gave up. */
  readonly done: (isProven: boolean) => void;
}

export const waitingProof = signal<WaitingProof | undefined>(undefined);

/** Runs `act`, and once more after a code was typed if it needs one. Undefined: the person gave up. Throws like `act`. */
export async function withProof<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'PROOF_NEEDED') throw cause;
  }
  const isProven = await new Promise<boolean>((done) => {
    waitingProof.value?.done(false);
    waitingProof.value = { done };
  });
  waitingProof.value = undefined;
  return isProven ? await act() : undefined;
}
