import type { Injection } from '../../api/injection.ts';
import type { Scope, Snapshot } from '../../api/source.ts';
import { visibleTools } from '../visible-tools.ts';
import { planInjection, type InjectionRequest } from './plan-injection.ts';
import { selectPacks } from './relevance.ts';

export interface AgentInjectionRequest extends Pick<
  InjectionRequest,
  'agent' | 'contextWindow' | 'maxTools' | 'promptTokens' | 'mode' | 'kept'
> {
  readonly scope: Scope;
  /** The message's embedding; absent: every pack is relevant. */
  readonly messageVector?: Float32Array | undefined;
  /** Embeddings of the descriptions of sources and their tools, by source id. */
  readonly packVectors?: ReadonlyMap<string, readonly Float32Array[]> | undefined;
}

/** What an agent is shown of a snapshot: visible, then relevant, then within the budget. */
export function injectFor(snapshot: Snapshot, request: AgentInjectionRequest): Injection {
  const { scope, messageVector, packVectors = new Map(), ...rest } = request;
  const { domain: tools, meta } = visibleTools(snapshot, scope);
  const relevant = new Set(selectPacks(snapshot.sources, messageVector, packVectors));
  return planInjection({ ...rest, tools, meta, isRelevant: ({ source }) => relevant.has(source) });
}
