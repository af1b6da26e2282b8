import { join } from 'node:path';
import type { Logger } from '../../../api/log.ts';
import type { Listing } from '../../../api/source.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';
import type { PegboardError } from '../../../core/errors.ts';
import type { PinStore } from '../approval/pins.ts';
import { identityOf, type McpServerConfig } from '../config.ts';
import type { Connection } from '../connection/connection.ts';
import { createListeners } from '../connection/listeners.ts';
import type { ReportLeftOut } from '../protocol/fit.ts';
import { continued } from '../transport/era.ts';
import { openCatalogCache, type CachedCatalog } from './catalog-cache.ts';
import { incompleteList, type Listed } from './listing.ts';
import { createToolCatalog, type ToolCatalog, type ToolCatalogOptions } from './tool-catalog.ts';
import type { Diagnostic } from '../../../api/diagnostic.ts';

/** What one server offers, cached across processes, and its diagnostics. */
export interface ServerListing {
  readonly catalog: ToolCatalog;
  /** The last list of the server; undefined if this user never connected it. */
  readonly known: CachedCatalog | undefined;
  /** The current usable tools and all diagnostics. */
  current(): Listing;
  /** Takes over the list of a connection. Resolves when its tools can be found. */
  update(connection: Connection, listed: Listed): Promise<void>;
  /** Checks the known tools against the stored approvals again. */
  recheck(): void;
  /** Adds a warning, once for each code. */
  warn(code: string, message: string): void;
  /** Adds a warning about a part that MCP defines otherwise, once for each part of each kind of thing. */
  readonly reportLeftOut: ReportLeftOut;
  /** Calls the watchers if `current()` has changed since the last time. */
  announce(): void;
  watch(changed: () => void): Disposable;
  /** Resolves when everything learned so far is written. */
  saved(): Promise<void>;
}

export interface ServerListingOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  /** Folder for the cached lists of servers. */
  readonly data: string;
  readonly pins: PinStore;
  readonly log: Logger;
  readonly run: ToolCatalogOptions['run'];
  /** Why the server is not connected, for the diagnostics. */
  readonly connectionError: () => PegboardError | undefined;
  /** The module of the server's tools. */
  readonly moduleOf: (server: string) => string;
}

export function createServerListing(options: ServerListingOptions): ServerListing {
  const { name, config, data, pins, log, run, connectionError, moduleOf } = options;
  const identity = identityOf(config);
  const cache = openCatalogCache(join(data, 'catalogue'));
  const warnings = createServerWarnings(name);
  const listeners = createListeners<void>(log);
  const merged = createMergedList();
  // Without pins this user has never seen the server, so a cached list doesn't count.
  let known: CachedCatalog | undefined = pins.get(name) && cache.read(name, identity);
  /** Whether the list comes from the server itself, in this process, rather than from the cache. */
  let isLive = false;
  let announced: Listing | undefined;
  let saving = Promise.resolve();

  const current = (): Listing => {
    const error = connectionError();
    const cut = known?.cutOff === undefined ? [] : [incompleteList(name, known.cutOff)];
    return {
      tools: catalog.listing.tools,
      diagnostics: [
        ...(catalog.listing.diagnostics ?? []),
        ...cut,
        ...otherModule(name, moduleOf(name)),
        ...warnings.diagnostics,
        ...(error ? [failed(error)] : []),
      ],
    };
  };
  const announce = (): void => {
    const next = current();
    if (announced && isSame(announced, next)) return;
    announced = next;
    listeners.emit();
  };
  const recheck = (): void => {
    if (known) void catalog.update({ ...known, isLive }).then(announce);
  };
  const notSaved = (what: string, cause: unknown): void => {
    if (!warnings.add('mcp-not-saved', `works, but ${what} can't be stored in ${data}`)) return;
    log.warn('its state could not be written', { cause });
    announce();
  };

  const catalog = createToolCatalog({
    server: name,
    config,
    pins,
    run,
    onSaveFailed: (cause) => notSaved('its approvals', cause),
  });
  recheck();

  return {
    catalog,
    get known() {
      return known;
    },
    current,
    async update(connection, listed) {
      const { cutOff } = listed;
      const { transport, instructions, serverInfo, capabilities } = connection;
      const entry: CachedCatalog = {
        identity,
        transport,
        era: continued(known?.era, connection.era),
        tools: merged.add(connection, listed),
        capabilities,
        ...(cutOff !== undefined && { cutOff }),
        ...(instructions !== undefined && { instructions }),
        ...(serverInfo && { serverInfo }),
      };
      // `known` changes only once the tools can be found.
      await catalog.update({ ...entry, isLive: true });
      known = entry;
      isLive = true;
      saving = cache.write(name, entry).catch((cause: unknown) => notSaved('its list of tools', cause));
      announce();
    },
    recheck() {
      recheck();
      announce();
    },
    warn(code, message) {
      if (warnings.add(code, message)) log.warn(message);
      announce();
    },
    reportLeftOut(what, path) {
      if (!warnings.addOdd(what, path)) return;
      log.warn(`${path} of ${what} is left out: it is not as MCP defines it`);
      announce();
    },
    announce,
    watch: (changed) => listeners.add(changed),
    async saved() {
      await catalog.settled();
      await saving;
    },
  };
}

function otherModule(name: string, module: string): readonly Diagnostic[] {
  if (module === name) return [];
  const message = `MCP server "${name}": ${name} is also the name of a module of Pegboard, a plugin or a space, which keeps it. The server's tools are ${module}.NAME, and presets, rules and agents mean them as ${module}`;
  const hint = 'for another name, rename it in mcpServers';
  return [{ severity: 'warning', code: 'mcp-other-module', message, hint }];
}

const failed = ({ code, message }: PegboardError) =>
  ({ severity: 'error', code: code.toLowerCase().replaceAll('_', '-'), message }) as const;

function isSame(a: Listing, b: Listing): boolean {
  return (
    a.tools.length === b.tools.length &&
    a.tools.every((tool, index) => tool === b.tools[index]) &&
    JSON.stringify(a.diagnostics) === JSON.stringify(b.diagnostics)
  );
}

/**
 * The tools that a server offers over any of its connections. If two offer the same tool, the one from the earlier
 * connection is used.
 */
interface MergedList {
  /** What all open connections have listed, including this one. */
  add(connection: Connection, listed: Listed): readonly unknown[];
}

function createMergedList(): MergedList {
  const lists = new Map<Connection, readonly unknown[]>();
  return {
    add(connection, { items }) {
      if (!lists.has(connection)) void connection.ended.then(() => lists.delete(connection));
      lists.set(connection, items);
      const named = new Map<unknown, unknown>();
      for (const item of [...lists.values()].flat()) {
        const name = (item as { readonly name?: unknown } | null)?.name;
        const key = typeof name === 'string' ? name : item;
        if (!named.has(key)) named.set(key, item);
      }
      return lists.size === 1 ? items : [...named.values()];
    },
  };
}

/** Warnings about a server, one for each code: a server that misbehaves a thousand times is reported once. */
interface ServerWarnings {
  readonly diagnostics: readonly Diagnostic[];
  /** True for a new warning. */
  add(code: string, message: string): boolean;
  /** The same for parts that are left out, up to `maxOdd`. */
  addOdd(what: string, path: string): boolean;
}

/** One warning stands for all further ones. */
const maxOdd = 100;

function createServerWarnings(server: string): ServerWarnings {
  const byKey = new Map<string, Diagnostic>();
  const odd = new Set<string>();
  const add = (key: string, code: string, message: string): boolean => {
    if (byKey.has(key)) return false;
    byKey.set(key, { severity: 'warning', code, message: `MCP server "${server}" ${message}` });
    return true;
  };
  return {
    get diagnostics() {
      return [...byKey.values()];
    },
    add: (code, message) => add(code, code, message),
    addOdd(what, path) {
      const shown = visibleText(`${path} of ${what}`).slice(0, 300);
      const message = `sends ${shown}, which is not as MCP defines it, and is left out`;
      if (odd.size === maxOdd) return add('more', 'mcp-odd-part', 'sends more such parts; they are left out');
      odd.add(message);
      return add(message, 'mcp-odd-part', message);
    },
  };
}
