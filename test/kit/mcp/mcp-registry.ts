import { listen } from '../../../host/testing/http-server.ts';

export interface TestRegistry extends AsyncDisposable {
  readonly url: string;
  /** Requested paths with their queries. */
  readonly requests: readonly string[];
}

export interface Published {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly packages?: unknown;
  readonly remotes?: unknown;
  readonly [key: string]: unknown;
}

/** The API of registry.modelcontextprotocol.io over `servers`: search in names, pages, and single versions. */
export async function openRegistryServer(
  servers: readonly (Published & { readonly status?: string })[],
): Promise<TestRegistry> {
  const requests: string[] = [];
  const wrapped = servers.map(({ status = 'active', ...server }) => ({
    server: { description: `The server ${server.name}`, ...server },
    _meta: { 'io.modelcontextprotocol.registry/official': { status, isLatest: isLatest(server, servers) } },
  }));
  const server = await listen((request, response) => {
    requests.push(request.url ?? '');
    const url = new URL(request.url ?? '', 'http://registry');
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const [, name, version] = /^\/v0\.1\/servers\/([^/]+)\/versions\/([^/]+)$/.exec(url.pathname) ?? [];
    if (name !== undefined && version !== undefined) {
      const found = wrapped.find(
        (one) =>
          one.server.name === decodeURIComponent(name) &&
          (version === 'latest'
            ? one._meta['io.modelcontextprotocol.registry/official'].isLatest
            : one.server.version === decodeURIComponent(version)),
      );
      return found ? send(200, found) : send(404, { title: 'Not Found', detail: 'Server not found' });
    }
    if (url.pathname !== '/v0.1/servers') return send(404, { title: 'Not Found' });
    const search = url.searchParams.get('search')?.toLowerCase() ?? '';
    const found = wrapped.filter((one) => one.server.name.toLowerCase().includes(search));
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const page = found.slice(from, from + Math.min(2, Number(url.searchParams.get('limit') ?? 30)));
    const next = from + page.length;
    return send(200, {
      servers: page,
      metadata: { count: page.length, ...(next < found.length && { nextCursor: String(next) }) },
    });
  });
  return { ...server, requests, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

const isLatest = (server: Published, all: readonly Published[]): boolean =>
  all.findLast(({ name }) => name === server.name)?.version === server.version;
