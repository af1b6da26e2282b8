import type { Artifacts } from '../api/artifacts.ts';
import type { Logger } from '../api/log.ts';
import type { PluginContext } from '../api/plugin.ts';
import type { JsonObject } from '../api/result.ts';

/** What the host lends to every plugin. */
export interface PluginServices {
  readonly home: string;
  readonly artifacts: Artifacts;
  readonly log: Logger;
}

/** A context and the end of it. */
export interface OwnedContext extends AsyncDisposable {
  readonly context: PluginContext;
}

/** Disposing aborts the context's signal, then closes what the plugin owns, last opened first. Never rejects. */
export function createContext(id: string, config: JsonObject, services: PluginServices): OwnedContext {
  const controller = new AbortController();
  const owned = new AsyncDisposableStack();
  const log = services.log.child(id);

  const close = async (stack: AsyncDisposableStack): Promise<void> => {
    try {
      await stack.disposeAsync();
    } catch (cause) {
      log.error('closing what the plugin owns failed', { cause });
    }
  };
  return {
    context: {
      config,
      log,
      signal: controller.signal,
      home: services.home,
      artifacts: services.artifacts,
      own(resource) {
        // A setup that was given up may still open things.
        if (!owned.disposed) return owned.use(resource);
        const late = new AsyncDisposableStack();
        late.use(resource);
        void close(late);
        return resource;
      },
    },
    async [Symbol.asyncDispose]() {
      controller.abort(new DOMException(`the plugin ${id} was retired`, 'AbortError'));
      await close(owned);
    },
  };
}
