import { openEndpoint, type Endpoint } from '../endpoint.ts';
import { createModern, type Modern } from '../protocol/modern.ts';
import type { ServedHost } from '../served-host.ts';
import type { SharedSessions } from './session-table.ts';
import { createSessions, type Sessions } from './sessions.ts';
import type { Signer } from './signer.ts';

export const rootPath = '/mcp';

/** The handlers of one path. */
export interface Route {
  readonly sessions: Sessions;
  readonly modern: Modern;
}

export interface Routes extends AsyncDisposable {
  /** Undefined for an unknown path. Throws PEG_USAGE for a path with nothing to serve. */
  find(path: string): Route | undefined;
  /** Resolves when no call runs any more, or after `ms`. */
  idle(ms: number): Promise<void>;
}

/** One route for each path, opened with its first request. `preset` limits all of them. `shared`: with other hosts. */
export function createRoutes(
  host: ServedHost,
  preset: string | undefined,
  signer: Signer,
  shared?: SharedSessions,
): Routes {
  const routes = new Map<string, Route & { readonly endpoint: Endpoint }>();
  return {
    find(path) {
      const known = routes.get(path);
      if (known) return known;
      const named = nameIn(path);
      if (path !== rootPath && named === undefined) return undefined;
      const endpoint = openEndpoint(host, { preset, path: named }, signer, shared?.hosts);
      const sessions = createSessions(endpoint, signer, shared);
      const route = { endpoint, sessions, modern: createModern(endpoint) };
      routes.set(path, route);
      return route;
    },
    idle: async (ms) => {
      await Promise.all([...routes.values()].map(({ endpoint }) => endpoint.activity.idle(ms)));
    },
    async [Symbol.asyncDispose]() {
      for (const { endpoint, sessions, modern } of routes.values()) {
        await Promise.all([sessions[Symbol.asyncDispose](), modern[Symbol.asyncDispose]()]);
        endpoint[Symbol.dispose]();
      }
    },
  };
}

function nameIn(path: string): string | undefined {
  return new RegExp(`^${rootPath}/([A-Za-z0-9._-]+)$`).exec(path)?.[1];
}
