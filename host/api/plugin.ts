import type { Artifacts } from './artifacts.ts';
import type { HookSet } from './hooks.ts';
import type { Logger } from './log.ts';
import type { Falsy, JsonObject, MaybePromise } from './result.ts';
import type { Tool } from './tool.ts';

/** What a plugin's module exports as default. Who it is and what it needs stands in its plugin.yaml. */
export interface Plugin<Config = JsonObject> {
  /** Returns everything that the plugin brings; nothing registers itself. Throwing keeps the previous instance in service. */
  setup(context: PluginContext<Config>): MaybePromise<Contributions | void>;
}

export interface Contributions {
  /** Tools by pack; each pack is declared in plugin.yaml. A falsy entry is a tool that isn't available here. */
  readonly packs?: { readonly [pack: string]: readonly (Tool | Falsy)[] };
  readonly hooks?: HookSet;
}

export interface PluginContext<Config = JsonObject> {
  /** The plugin's part of pegboard.yaml, checked against its schema, defaults filled in. */
  readonly config: Config;
  readonly log: Logger;
  /** Aborts when this instance is retired. */
  readonly signal: AbortSignal;
  /** Absolute path of the home. */
  readonly home: string;
  readonly artifacts: Artifacts;
  /** Closed in reverse order when this instance is retired. Returns its argument. */
  own<T extends Disposable | AsyncDisposable>(resource: T): T;
}
