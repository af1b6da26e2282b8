import type { Snapshot } from '../source.ts';
import type { RegisteredTool } from '../tool.ts';
import { defineToken } from './token.ts';

export interface SearchRequest {
  /** What to look for: several wordings, or several things at once. */
  readonly queries: readonly string[];
  /** What they are about: "github". */
  readonly domain?: string;
  /** Tools of this module or MCP server are preferred. */
  readonly server?: string;
  /** Only tools of this category or module. */
  readonly category?: string;
}

export interface SearchResult {
  readonly tool: RegisteredTool;
  /** 1 for the best match, 0 for a tool that shares nothing with the request. */
  readonly score: number;
  /** No tool surely matches: this is only one of the nearest. The same for all results. */
  readonly nearest?: true;
}

/**
 * Searches the newest snapshot, best first. A text is one query; several queries are parts of one request. `admit` filters
 * the tools. When no tool surely matches, the results are marked as the nearest: at least three, if there are so many.
 */
export type SearchTools = (
  request: string | SearchRequest,
  limit: number,
  admit?: (tool: RegisteredTool) => boolean,
) => Promise<readonly SearchResult[]>;

/** Optional vectors of texts: undefined when embeddings are not configured, or fail. */
export interface TextVectors {
  /** One per text, in order. */
  of(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | undefined>;
  /** The same with a persistent cache: for recurring texts, such as descriptions. */
  cached(texts: readonly string[]): Promise<readonly Float32Array[] | undefined>;
}

/** How the tools of a home are found, by words and by meaning. */
export interface Search {
  readonly tools: SearchTools;
  readonly vectors: TextVectors;
  /** Vectors of the sources of tools, by id. Empty where there are no embeddings. */
  packVectors(snapshot: Snapshot): Promise<ReadonlyMap<string, readonly Float32Array[]>>;
  /** Resolves when search by meaning is ready or unavailable, or after 10 s. */
  prepared(): Promise<void>;
  /** Resolves when the newest snapshot is indexed, so that no query waits for it. */
  indexed(): Promise<void>;
}

/** Without a plugin that provides it, the host compares words. */
export const Search = defineToken<Search>('search', 'search');
