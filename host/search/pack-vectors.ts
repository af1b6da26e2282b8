import type { Snapshot } from '../api/source.ts';
import type { TextVectors } from './text-vectors.ts';

/** Of what sources are for, by their ids. */
export async function packVectors(
  { sources }: Snapshot,
  vectors: TextVectors,
): Promise<ReadonlyMap<string, Float32Array>> {
  const made = await vectors.kept(sources.map(({ description }) => description));
  return new Map(made?.map((vector, at) => [sources[at]!.id, vector]));
}
