import type { IncomingMessage, ServerResponse } from 'node:http';
import { openWebServer } from '../servers/web-server.ts';

type Node = Readonly<Record<string, unknown>>;

/** A request that was answered, by the operation that it belongs to: "GET /pets/{id}". */
interface Served {
  readonly operation: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface ApiMock extends AsyncDisposable {
  readonly url: string;
  readonly served: readonly Served[];
}

/**
 * A server that behaves as an OpenAPI document says: it answers what the document knows with 200 and `{"operation": …}`,
 * and anything else with 404, or 400 and what is missing or malformed. It is no part of the importer, so that it can tell
 * whether a request is right.
 */
export async function openApiMock(document: Node): Promise<ApiMock> {
  const served: Served[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = await openWebServer((request, response) => void reply(request, response));
  return { url: server.url, served, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };

  async function answer(
    request: IncomingMessage,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const url = new URL(request.url!, 'http://mock');
    const found = find(document, request, url);
    if (!found)
      return { status: 404, body: { problem: `${request.method} ${url.pathname} is not in the document` } };
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const type = (request.headers['content-type'] ?? '').split(';')[0]!;
    const text = Buffer.concat(chunks).toString();
    const one: Served = {
      operation: `${request.method} ${found.path}`,
      path: found.values,
      query: [...url.searchParams],
      headers: request.headers,
      body: /json/.test(type) ? parse(text) : /form/.test(type) ? [...new URLSearchParams(text)] : text,
    };
    const problem = problemOf(one, type, found, document);
    if (problem !== undefined) return { status: 400, body: { problem } };
    served.push(one);
    return { status: 200, body: { operation: one.operation } };
  }
}

interface Found {
  readonly path: string;
  readonly item: Node;
  readonly operation: Node;
  readonly values: Readonly<Record<string, string>>;
}

/** Of several paths, the one with the fewest parameters. */
function find(
  document: Node,
  { method, headers }: IncomingMessage,
  { pathname, searchParams }: URL,
): Found | undefined {
  const paths = Object.entries((document['paths'] ?? {}) as Record<string, Node>);
  const matches = paths.flatMap(([path, written]): readonly Found[] => {
    const item = resolve(written, document);
    const operation = item[method!.toLowerCase()];
    // Some documents tell operations of one path apart by a header or a parameter, which they name behind a #.
    const [, name, value] = /#([\w-]+)=(.+)$/.exec(path) ?? [];
    if (operation === undefined) return [];
    if (name && ![headers[name.toLowerCase()], searchParams.get(name)].includes(value)) return [];
    const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
    const plain = path.replace(/[?#].*$/, '');
    const pattern = plain
      .split(/\{[^{}]*\}/)
      .map((part) => RegExp.escape(encodeURI(decodeURI(part))))
      .join('([^/]+)');
    const match = new RegExp(`^${pattern}$`, 'i').exec(pathname);
    if (!match) return [];
    const values = Object.fromEntries(
      names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]),
    );
    return [{ path, item, operation: operation as Node, values }];
  });
  return matches.toSorted((a, b) => Object.keys(a.values).length - Object.keys(b.values).length)[0];
}

function resolve(written: unknown, document: Node): Node {
  const { $ref } = written as { readonly $ref?: string };
  if ($ref === undefined) return written as Node;
  const steps = $ref
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  return resolve(
    steps.reduce<unknown>((at, step) => (at as Node)[step], document),
    document,
  );
}

function problemOf(
  served: Served,
  type: string,
  { item, operation }: Found,
  document: Node,
): string | undefined {
  const written = [
    ...((operation['parameters'] ?? []) as unknown[]),
    ...((item['parameters'] ?? []) as unknown[]),
  ];
  for (const parameter of written.map((one) => resolve(one, document))) {
    if (parameter['required'] !== true) continue;
    const name = parameter['name'] as string;
    const isThere =
      parameter['in'] === 'query'
        ? served.query.some(([key]) => key === name || key.startsWith(`${name}[`))
        : parameter['in'] === 'header'
          ? served.headers[name.toLowerCase()] !== undefined ||
            /^(?:accept|content-type|authorization)$/i.test(name)
          : parameter['in'] !== 'path' || served.path[name] !== '';
    if (!isThere) return `${name} is missing in the ${parameter['in'] as string}`;
  }
  if (operation['requestBody'] === undefined) return undefined;
  const body = resolve(operation['requestBody'], document);
  const content = (body['content'] ?? {}) as Record<string, Node>;
  const media = Object.entries(content).find(([key]) => {
    const known = key.split(';')[0]!.trim().toLowerCase();
    return known === type || (known === '*/*' && type !== '');
  })?.[1];
  if (!media)
    return type === '' && body['required'] !== true
      ? undefined
      : `a body of type "${type}" is not in the document`;
  return /json/.test(type) ? missingMember(served.body, media['schema'], document) : undefined;
}

function missingMember(body: unknown, schema: unknown, document: Node): string | undefined {
  const { required = [], properties = {}, type } = resolve(schema ?? {}, document);
  if (type === 'object' && (typeof body !== 'object' || body === null || Array.isArray(body)))
    return 'the body is no object';
  const isReadOnly = (name: string): boolean =>
    resolve((properties as Node)[name] ?? {}, document)['readOnly'] === true;
  const missing = (required as string[]).find(
    (name) => !isReadOnly(name) && !Object.hasOwn(Object(body), name),
  );
  return missing === undefined ? undefined : `${missing} is missing in the body`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
