import type { EngineStatus } from '../engine.ts';
import type { KnownFolders } from '../known-folders.ts';
import type { VectorCache } from '../store/vectors.ts';
import type { Tool } from '../tool.ts';
import { defineToken } from './token.ts';

/** Manifests outside of spaces. */
export interface ManifestReader {
  /** The tool that the file of a script describes. Throws PEG_USAGE where it can't be read. */
  readScript(path: string): Promise<Tool>;
}
/** Provided by the host. */
export const ManifestReader = defineToken<ManifestReader>('manifest-reader', 'manifests');

/** The host's own queues. */
export interface Queues {
  /** What waits in the queues of this home. Undefined: this process has not joined them. */
  status(): Promise<EngineStatus | undefined>;
}
/** Provided by the host. */
export const Queues = defineToken<Queues>('queues', 'queues');

/** The folders that calls of this home may write to. */
export interface WritableFolders {
  /** For all callers together: the home, listed folders and trusted projects. Real paths. */
  ofAll(): Promise<Pick<KnownFolders, 'home' | 'userState' | 'roots'>>;
}
/** Provided by the host. */
export const WritableFolders = defineToken<WritableFolders>('writable-folders', 'folders');

/** A server with OpenAI's `/embeddings` API: OpenAI, OpenRouter, Ollama, LM Studio, vLLM. */
export interface EmbeddingsEndpoint {
  readonly model: string;
  /** Without `/embeddings`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** Payment for one request. Disposing it without `settle` means that there was no response. */
export interface EmbeddingsPayment extends AsyncDisposable {
  settle(usage: { readonly input: number; readonly output: 0; readonly cost?: number }): Promise<void>;
}

/** Called before each request. Throws PEG_LIMIT when a cap is reached, and the signal's reason. */
export type PayForEmbeddings = (model: string, signal: AbortSignal) => Promise<EmbeddingsPayment>;

/** The embeddings that the configuration names. */
export interface Embeddings {
  /** Those of now. Undefined: there are none. */
  readonly endpoint: () => EmbeddingsEndpoint | undefined;
  readonly pay: PayForEmbeddings;
  /** Vectors that were paid for, by the hash of their text. */
  readonly cache: VectorCache;
}
/** Provided by the host. */
export const Embeddings = defineToken<Embeddings>('embeddings', 'embeddings');
