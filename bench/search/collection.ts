import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { SearchedTool } from '../../plugins/builtin-search/index/fields.ts';

/** Tools, and requests with the tools that answer them. */
export interface Collection {
  readonly name: string;
  readonly tools: ReadonlyMap<string, SearchedTool>;
  readonly queries: readonly Query[];
}

export interface Query {
  readonly text: string;
  /** Each group is one thing to find, by any of its tools. Empty: there is no such tool. */
  readonly relevant: readonly (readonly string[])[];
  readonly group: string;
}

/** Whether it belongs to the held-out third of requests. Depends only on its text. */
export const isHeldOut = ({ text }: Query): boolean => createHash('sha1').update(text).digest()[0]! % 3 === 0;

/** The format of the files: `{ meta, tools, queries }`. */
interface File {
  readonly tools: readonly FiledTool[];
  readonly queries?: readonly {
    readonly query: string;
    readonly relevant: readonly (string | readonly string[])[];
    readonly group?: string;
  }[];
}

interface FiledTool {
  /** "issues" or "server.issues". */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: SearchedTool['parameters'];
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly aliases?: readonly string[];
  /** Requests that it answers. */
  readonly examples?: readonly string[];
  readonly server?: string;
  readonly serverDescription?: string;
}

export function loadCollection(path: string): Collection {
  const { tools, queries = [] } = JSON.parse(readFileSync(path, 'utf8')) as File;
  return {
    name: basename(path, '.json'),
    tools: new Map(tools.map((tool) => [tool.name, toSearched(tool)])),
    queries: queries.map(({ query, relevant, group = 'all' }) => ({
      text: query,
      relevant: relevant.map((one) => (typeof one === 'string' ? [one] : one)),
      group,
    })),
  };
}

function toSearched(tool: FiledTool): SearchedTool {
  const { server = '', serverDescription = '', title, category, tags, aliases, examples } = tool;
  const [prefix, rest] = splitOnce(tool.name, '.');
  const isQualified = server !== '' && rest !== undefined;
  return {
    name: isQualified ? rest : tool.name,
    description: tool.description ?? '',
    parameters: tool.inputSchema ?? {},
    source: {
      module: isQualified && prefix !== server ? `${server} ${prefix}` : server,
      description: serverDescription,
    },
    ...(title !== undefined && { title }),
    ...(category !== undefined && { category }),
    ...(tags && { tags }),
    ...(aliases && { aliases }),
    ...(examples && { examples: examples.map((text) => ({ input: { text } })) }),
  };
}

function splitOnce(text: string, at: string): readonly [string, string | undefined] {
  const place = text.indexOf(at);
  return place < 0 ? [text, undefined] : [text.slice(0, place), text.slice(place + 1)];
}
