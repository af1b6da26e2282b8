import type { KnownChannel } from '../api/channels/channel.ts';
import type { Engine } from '../api/engine.ts';
import type { Model } from '../api/model.ts';
import type { Logger } from '../api/log.ts';
import type { PluginContext, PluginDatabase, PluginMigration } from '../api/plugin.ts';
import type { JsonObject } from '../api/result.ts';
import type { Additions, Point } from '../api/services/point.ts';
import type { Token, Use } from '../api/services/token.ts';
import { PegboardError } from '../core/errors.ts';
import { asCaller } from '../core/platform/exit-guard.ts';
import type { ManifestContext } from '../sources/manifests/run/context.ts';
import type { PluginManifest } from './loading/manifest.ts';
import { createOwnDatabase } from './own-database.ts';
import type { Reports } from './reports.ts';

type PassedThrough =
  | 'home'
  | 'surroundings'
  | 'installation'
  | 'reload'
  | 'timezone'
  | 'development'
  | 'reading'
  | 'artifacts'
  | 'fileOrigins'
  | 'secrets'
  | 'history'
  | 'usage'
  | 'agents'
  | 'knownFoldersFor'
  | 'registry'
  | 'dispatch'
  | 'converse'
  | 'engine'
  | 'startConversation'
  | 'chatCommands'
  | 'pageCode'
  | 'deliver'
  | 'embed'
  | 'speech';

interface HowUsed<T> {
  /** The plugin whose setup runs. */
  readonly setup?: string | undefined;
  /** Used where nothing provides it. */
  readonly fallback?: T;
}

/** What other plugins bring: see `use` and `all` of `PluginContext`. */
export interface Others {
  use<T>(token: Token<T>, how?: HowUsed<T>): Use<T>;
  all<T>(point: Point<T>): Additions<T>;
}

/** The host's services for plugins. */
export interface PluginServices extends Pick<PluginContext, PassedThrough>, Others {
  readonly log: Logger;
  /** A model whose usage is counted for this plugin. */
  model(name: string, plugin: string): Promise<Model>;
  readonly reports: Reports;
  /** What the tools in a plugin's manifests need. */
  readonly manifests: ManifestContext;
  /** A variable of the environment, or a secret. */
  resolve(name: string): string | undefined;
  /** Like `resolve`, without the variables of the home's .env. */
  resolveForSpaces(name: string): string | undefined;
  /** The current value of `PluginContext.channels`. */
  channels(): readonly KnownChannel[];
  /** The tables of one plugin, whose names begin with one of the `prefixes`. */
  databaseOf<Tables>(
    owner: OwnTables['owner'],
    migrations: readonly PluginMigration[],
  ): PluginDatabase<Tables>;
}

/** What makes the tables of a plugin. */
export interface OwnTables {
  readonly owner: { readonly plugin: string; readonly prefixes: readonly string[] };
  readonly migrations: readonly PluginMigration[];
}

/** A context with its lifecycle. */
export interface OwnedContext extends AsyncDisposable {
  readonly context: PluginContext;
  /** Call it when `setup` has returned. */
  started(): void;
  /** Aborts the plugin's signal. To be called within its guard, before it is disposed. */
  retire(): void;
  /** Undefined while the plugin has asked for none. */
  readonly tables: () => OwnTables | undefined;
}

/** Disposing aborts the context's signal, then closes what the plugin owns, last opened first. Never rejects. */
export function createContext(
  { id, requires, packs, dynamic }: Pick<PluginManifest, 'id' | 'requires' | 'packs' | 'dynamic'>,
  config: JsonObject,
  services: PluginServices,
): OwnedContext {
  const controller = new AbortController();
  const owned = new AsyncDisposableStack();
  const reports = owned.use(services.reports.open());
  let isStarting = true;
  let tables: OwnTables | undefined;
  const log = services.log.child(id);
  const variable = (name: string): string | undefined =>
    dynamic ? services.resolveForSpaces(name) : services.resolve(name);
  // Packs of spaces may have the same name, packs of plugins can't.
  const prefixes = [id, ...(dynamic ? [] : Object.keys(packs))].map(toTablePrefix);
  const named = new Set([...(requires.env ?? []), ...(requires.secrets ?? []), ...(requires.optional ?? [])]);

  const close = async (stack: AsyncDisposableStack): Promise<void> => {
    try {
      await stack.disposeAsync();
    } catch (cause) {
      log.error('closing what the plugin owns failed', { cause });
    }
  };
  const {
    home,
    surroundings,
    installation,
    timezone,
    development,
    reading,
    artifacts,
    fileOrigins,
    secrets,
    history,
    agents,
    registry,
  } = services;
  return {
    context: {
      id,
      config,
      log,
      signal: controller.signal,
      home,
      surroundings,
      installation,
      reload: () => (isStarting ? Promise.reject(inSetup(id, ...ownReload)) : services.reload()),
      timezone,
      development,
      reading,
      artifacts,
      fileOrigins,
      secrets,
      history,
      get usage() {
        return services.usage;
      },
      agents,
      ...othersOf(id, services, { owned, log, isStarting: () => isStarting }),
      knownFoldersFor: (...caller) => services.knownFoldersFor(...caller),
      registry,
      dispatch: (request) => services.dispatch(request),
      converse: (message) => services.converse(message),
      engine: async () => withOwnHandlers(await services.engine()),
      startConversation: (key) => services.startConversation(key),
      chatCommands: services.chatCommands,
      pageCode: () => services.pageCode(),
      deliver: (to, message, signal) => services.deliver(to, message, signal),
      get channels() {
        return services.channels();
      },
      model: (name) => services.model(name, id),
      embed: (texts, signal) => services.embed(texts, signal),
      speech: services.speech,
      report: (check) => reports.report(check),
      variable: (name) => (named.has(name) ? variable(name) : undefined),
      database: createOwnDatabase(id, (migrations) => {
        const owner = { plugin: id, prefixes };
        if (migrations.length > 0) tables = { owner, migrations };
        return services.databaseOf(owner, migrations);
      }),
      own(resource) {
        // A setup that timed out may still open resources.
        if (!owned.disposed) return owned.use(resource);
        const late = new AsyncDisposableStack();
        late.use(resource);
        void close(late);
        return resource;
      },
    },
    started: () => void (isStarting = false),
    tables: () => tables,
    retire: () => controller.abort(new DOMException(`the plugin ${id} was retired`, 'AbortError')),
    async [Symbol.asyncDispose]() {
      await close(owned);
    },
  };
}

interface OwnState {
  readonly owned: AsyncDisposableStack;
  readonly log: Logger;
  readonly isStarting: () => boolean;
}

/** What other plugins bring. In `setup`, plugins that use each other would wait for each other. */
const othersOf = (
  id: string,
  services: PluginServices,
  { owned, log, isStarting }: OwnState,
): Pick<PluginContext, 'use' | 'all'> => ({
  use: (token) => async (work) => await services.use(token, isStarting() ? { setup: id } : {})(work),
  all(point) {
    const additions = services.all(point);
    return {
      async list() {
        if (isStarting()) throw inSetup(id, 'lists a point', 'which would wait for plugins that may use it');
        return await additions.list();
      },
      onChange(listener) {
        const tell = asCaller(listener);
        const telling = additions.onChange(() => {
          try {
            tell();
          } catch (cause) {
            log.error(`a listener of the point ${point.name} failed`, { cause });
          }
        });
        return owned.use(telling);
      },
    };
  },
});

/** Jobs run as the plugin that works on them, whoever opened the engine. */
const withOwnHandlers = (engine: Engine): Engine => ({
  ...engine,
  work: (queue, options, handler) => engine.work(queue, options, asCaller(handler)),
  role: (name, run) => engine.role(name, asCaller(run)),
});

const toTablePrefix = (name: string): string => `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}_`;

const ownReload = ['calls reload()', 'which would wait for itself'] as const;

const inSetup = (id: string, does: string, consequence: string): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    `The plugin ${id} ${does} in its setup, ${consequence}. Call it once setup has returned: from a tool, a service or a command.`,
  );
