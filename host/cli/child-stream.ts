import type { Readable, Writable } from 'node:stream';

/** What a child process has as this stream: the stream itself where the system knows it, else a pipe or nothing. */
export const inheritable = <Otherwise extends 'pipe' | 'ignore'>(
  stream: (Readable | Writable) & { readonly fd?: number },
  otherwise: Otherwise,
): number | Otherwise => stream.fd ?? otherwise;
