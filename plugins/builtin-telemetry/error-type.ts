import { PegboardError } from 'pegboard';

/** `error.type`: a code or a class, never a message. */
export function errorTypeOf(thrown: unknown): string {
  if (thrown instanceof PegboardError) return thrown.code;
  return thrown instanceof Error ? thrown.name : '_OTHER';
}
