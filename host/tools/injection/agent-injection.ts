import type { Injection } from '../../api/injection.ts';
import type { Scope, Snapshot, ToolSource } from '../../api/source.ts';
import { visibleTools } from '../visible-tools.ts';
import { fullPreset } from '../preset.ts';
import { planInjection, type InjectionRequest } from './plan-injection.ts';
import { cosine } from '../../core/cosine.ts';

/** Packs less similar to the message than this are left out. */
const minSimilarity = 0.3;

export interface AgentInjectionRequest extends Pick<
  InjectionRequest,
  'agent' | 'contextWindow' | 'maxTools' | 'promptTokens' | 'mode' | 'kept' | 'preset'
> {
  readonly scope: Scope;
  /** The message's embedding; absent: every pack is relevant. */
  readonly messageVector?: Float32Array | undefined;
  /** Embeddings of the descriptions of sources and their tools, by source id. */
  readonly packVectors?: ReadonlyMap<string, readonly Float32Array[]> | undefined;
}

/** What an agent is shown of a snapshot: visible, then listed by its preset, then relevant, then within the budget. */
export function injectFor(snapshot: Snapshot, request: AgentInjectionRequest): Injection {
  const { scope, messageVector, packVectors = new Map(), ...rest } = request;
  const { domain: tools, meta } = visibleTools(snapshot, scope);
  // Tools that somebody chose by name are all listed.
  const preset = scope.within?.some(({ allowed }) => allowed) ? fullPreset : request.preset;
  const relevant = new Set(selectPacks(snapshot.sources, messageVector, packVectors));
  return planInjection({ ...rest, preset, tools, meta, isRelevant: ({ source }) => relevant.has(source) });
}

/**
 * The packs that a message is about, and those that are always loaded. `vectors` holds the embeddings of the descriptions
 * of a source and its tools, by source id: the most similar one counts. Fails open: without the message's vector all
 * packs are selected, and so is a pack without vectors.
 */
export function selectPacks<Source extends Pick<ToolSource, 'id' | 'alwaysLoad'>>(
  sources: readonly Source[],
  queryVector: Float32Array | undefined,
  vectors: ReadonlyMap<string, readonly Float32Array[]>,
): readonly Source[] {
  if (!queryVector) return sources;
  return sources.filter(({ id, alwaysLoad }) => {
    const own = vectors.get(id) ?? [];
    return alwaysLoad || own.length === 0 || own.some((vector) => !isFarFrom(queryVector, vector));
  });
}

/** Vectors of different lengths come from different models and can't be compared: false. */
function isFarFrom(a: Float32Array, b: Float32Array): boolean {
  const similarity = a.length === b.length ? cosine(a, b) : Number.NaN;
  return similarity < minSimilarity;
}
