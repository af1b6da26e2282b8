import { readFile, stat } from 'node:fs/promises';
import { openDeadline } from '../../../core/async/deadline.ts';
import { PegboardError } from '../../../core/errors.ts';
import { fileErrorInWords } from '../../../core/system-error.ts';
import { readAtMost } from '../../../core/http/read-at-most.ts';
import { inPlainWords } from '../transport/explain-failure.ts';
import { isObject } from '../transport/rpc-message.ts';
import { readEntry, type RegistryServer } from './entry.ts';
import { rankServers } from './rank.ts';
import { parsedJson, parseJson } from '../../../core/documents/written-numbers.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** The official registry of the Model Context Protocol. */
export const officialRegistry = 'https://registry.modelcontextprotocol.io';

/** Any server of the registry's API, or a file with a response of one. */
export interface ServerRegistry {
  /** As given: a URL or a path. */
  readonly address: string;
  /** The newest version of each matching server, best first. */
  search(words: readonly string[], signal: AbortSignal): Promise<readonly RegistryServer[]>;
  /** One server by its full name; the newest version unless one is given. */
  get(name: string, version: string | undefined, signal: AbortSignal): Promise<RegistryServer | undefined>;
}

const megabyte = 1024 * 1024;
/** Maximum size of one response, or of a file. */
const maxResponseBytes = 8 * megabyte;
/** Maximum milliseconds for one response. */
const timeoutMs = 20_000;
const pageSize = 100;
/** Maximum servers for one word. */
const maxPages = 5;

/**
 * `address` is a URL, or the absolute path of a file. Throws PEG_SERVER_UNAVAILABLE when it doesn't respond like a
 * registry.
 */
export const openRegistry = (address: string): ServerRegistry =>
  /^https?:\/\//i.test(address) ? overHttp(address) : fromFile(address);

function overHttp(address: string): ServerRegistry {
  const plain = address.replace(/\/+$/, '');
  const base = /\/v\d+(\.\d+)?$/.test(plain) ? plain : `${plain}/v0.1`;
  /** Servers with one word in their names: the API can't search anything else. */
  const having = async (word: string, signal: AbortSignal): Promise<RegistryServer[]> => {
    const found: RegistryServer[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const query = new URLSearchParams({ search: word, version: 'latest', limit: String(pageSize) });
      if (cursor !== undefined) query.set('cursor', cursor);
      const answer = await ask(`${base}/servers?${query}`, signal);
      found.push(...(await readServers(answer, address)));
      cursor = nextCursor(answer);
      if (cursor === undefined || seen.has(cursor)) break;
      seen.add(cursor);
    }
    return found;
  };
  return {
    address,
    async search(words, signal) {
      const found = await Promise.all(words.map((word) => having(word, signal)));
      return rankServers(found.flat(), words);
    },
    async get(name, version = 'latest', signal) {
      const path = `${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
      const answer = await ask(`${base}/servers/${path}`, signal);
      const server = answer === undefined ? undefined : await readEntry(answer);
      if (answer !== undefined && server?.name !== name) throw notARegistry(address);
      return server;
    },
  };
}

function fromFile(path: string): ServerRegistry {
  const all = async (): Promise<readonly RegistryServer[]> => {
    let value: unknown;
    try {
      const { size } = await stat(path);
      if (size > maxResponseBytes) throw new Error(`it has more than ${maxResponseBytes / megabyte} MB`);
      value = parseJson(await readFile(path, 'utf8'));
    } catch (cause) {
      throw new PegboardError(
        'PEG_CONFIG',
        `The file of MCP servers ${path} can't be read: ${fileErrorInWords(cause)}`,
      );
    }
    const isOne = isObject(value) && !Array.isArray(value['servers']);
    return await readServers(isOne || Array.isArray(value) ? { servers: [value].flat() } : value, path);
  };
  return {
    address: path,
    search: async (words) => rankServers(await all(), words),
    async get(name, version) {
      const named = (await all()).filter((server) => server.name === name);
      return version === undefined
        ? rankServers(named, [])[0]
        : named.find((server) => server.version === version);
    },
  };
}

async function readServers(answer: unknown, address: string): Promise<readonly RegistryServer[]> {
  if (!isObject(answer) || !Array.isArray(answer['servers'])) throw notARegistry(address);
  const read = await Promise.all(answer['servers'].map(readEntry));
  return read.filter((server) => server !== undefined);
}

function nextCursor(answer: unknown): string | undefined {
  const metadata = isObject(answer) ? answer['metadata'] : undefined;
  const cursor = isObject(metadata) ? metadata['nextCursor'] : undefined;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

/**
 * The JSON of a response. Undefined for 404. A registry's error messages are not shown, because anybody may run one.
 */
async function ask(url: string, signal: AbortSignal): Promise<unknown> {
  const { host } = new URL(url);
  using deadline = openDeadline(timeoutMs, signal);
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal: deadline.signal });
    const body = await readAtMost(response, maxResponseBytes);
    if (!body)
      throw unavailable(`The registry at ${host} answers with more than ${maxResponseBytes / megabyte} MB.`);
    const text = body.toString('utf8');
    if (response.status === 404 && isObject(parsedJson(text))) return undefined;
    if (!response.ok) throw unavailable(`The registry at ${host} answers with ${response.status}.`);
    const answer = parsedJson(text);
    if (answer === undefined) throw notARegistry(host);
    return answer;
  } catch (cause) {
    if (signal.aborted || cause instanceof PegboardError) throw cause;
    const reason = deadline.signal.aborted
      ? `no complete response within ${timeoutMs / 1_000} s`
      : inPlainWords((cause as Error).cause ?? cause);
    throw unavailable(`The registry at ${host} can't be reached: ${asSentence(reason)}`);
  }
}

const notARegistry = (address: string): PegboardError =>
  unavailable(
    `${address} doesn't respond like a registry of MCP servers. \`mcpRegistry\` in pegboard.yaml, or --registry, names another one.`,
  );

const unavailable = (message: string): PegboardError => new PegboardError('PEG_SERVER_UNAVAILABLE', message);
