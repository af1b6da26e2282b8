import { pegboard } from '../../core/own-command.ts';
import type { Logger } from '../../api/log.ts';
import type { Registry } from '../../api/source.ts';
import { PegboardError } from '../../core/errors.ts';
import { nearest } from '../../core/documents/nearest.ts';
import { canonicalJson } from '../../tools/fingerprint.ts';
import type { McpServerConfig } from './config.ts';
import type { McpSource } from './mcp-source.ts';

/** The configured servers, kept in step with the configuration. */
export interface ServerSet extends AsyncDisposable {
  readonly all: readonly McpSource[];
  get(name: string): McpSource | undefined;
  /** Opens these servers. Must be called once, before anything else. */
  open(openSource: OpenSource, configs: ReadonlyMap<string, McpServerConfig>): Promise<void>;
  /** Opens new servers, replaces changed ones and closes removed ones; the others are not touched. */
  apply(configs: ReadonlyMap<string, McpServerConfig>): Promise<void>;
  /** Replaces the server's connection by a new one. Throws PEG_SERVER_UNAVAILABLE, and what `McpSource.connect` throws. */
  restart(name: string): Promise<void>;
  /** Resolves when all have connected or given up, and their tools are in the registry. */
  settled(): Promise<void>;
}

export type OpenSource = (name: string, config: McpServerConfig) => Promise<McpSource>;

interface Opened {
  readonly source: McpSource;
  readonly config: McpServerConfig;
  readonly configured: string;
  readonly handle: AsyncDisposable;
}

export function createServerSet(
  registry: Registry,
  { connect, log }: { readonly connect: boolean; readonly log: Logger },
): ServerSet {
  const opened = new Map<string, Opened>();
  /** Valid from `open` on. */
  let openSource: OpenSource;

  const start = (source: McpSource): void => {
    if (connect)
      source.connect().catch((cause: unknown) => log.warn(`${source.id} did not connect`, { cause }));
  };
  const put = async (name: string, config: McpServerConfig): Promise<McpSource> => {
    const before = opened.get(name);
    const source = await openSource(name, config);
    const handle = before ? await registry.replace(before.handle, source) : await registry.add(source);
    opened.set(name, { source, config, configured: canonicalJson(config), handle });
    return source;
  };
  const openOne = async (name: string, config: McpServerConfig): Promise<void> => {
    if (opened.get(name)?.configured === canonicalJson(config)) return;
    start(await put(name, config));
  };

  const apply: ServerSet['apply'] = async (configs) => {
    const gone = [...opened].filter(([name]) => !configs.has(name));
    for (const [name] of gone) opened.delete(name);
    for (const [name, config] of configs) await openOne(name, config);
    await Promise.all(gone.map(([, { handle }]) => handle[Symbol.asyncDispose]()));
  };

  const set: ServerSet = {
    get all() {
      return [...opened.values()].map(({ source }) => source);
    },
    get: (name) => opened.get(name)?.source,
    async open(openOne, configs) {
      openSource = openOne;
      await apply(configs);
    },
    apply,
    async restart(name) {
      serverNamed(set, name);
      const source = await put(name, opened.get(name)!.config);
      await source.connect();
    },
    async settled() {
      await Promise.allSettled([...opened.values()].map(({ source }) => source.connect()));
      await registry.settled();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened.values()].map(({ handle }) => handle[Symbol.asyncDispose]()));
      opened.clear();
    },
  };
  return set;
}

/**
 * The module of a server's tools: its name, or with `mcp__` in front where a plugin, a space or Pegboard has a module of
 * that name. A module has one owner, so that no preset, rule or agent means tools of both.
 */
export function moduleOfServer(
  name: string,
  isTaken: (module: string) => boolean,
  servers: Pick<ServerSet, 'get'>,
): string {
  let module = name;
  while (isTaken(module) || (module !== name && servers.get(module))) module = `mcp__${module}`;
  return module;
}

/** Throws PEG_SERVER_UNAVAILABLE, with the nearest name. */
export function serverNamed(servers: ServerSet, name: string): McpSource {
  const server = servers.get(name);
  if (server) return server;
  const [near] = nearest(
    name,
    servers.all.map((server) => server.name),
  );
  const hint = near === undefined ? `Add it with \`${pegboard} mcp add\`.` : `Did you mean "${near}"?`;
  throw new PegboardError('PEG_SERVER_UNAVAILABLE', `There is no MCP server "${name}" in this home. ${hint}`);
}
