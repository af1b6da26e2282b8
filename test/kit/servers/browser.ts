import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A browser: keeps cookies, sends a browser's headers, and follows redirects within one site. */
export interface Browser {
  /** The last response, or the address of another site that it was redirected to. */
  open(url: string | URL, from?: 'cross-site' | 'same-origin'): Promise<Visit>;
  submit(visit: Visit, fields: Readonly<Record<string, string>>): Promise<Visit>;
}

interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

export function createBrowser(): Browser {
  const cookies = new Map<string, { readonly value: string; readonly path: string }>();
  const visit = async (
    url: URL,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Visit> => {
    const sent = [...cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`);
    const visited = await send(
      url,
      { ...headers, ...(sent.length > 0 && { cookie: sent.join('; ') }) },
      body,
    );
    for (const line of visited.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const path = attributes.find((one) => one.startsWith('path='))?.slice(5) ?? '/';
      if (value === '') cookies.delete(name);
      else cookies.set(name, { value, path });
    }
    const location = visited.headers.get('location');
    if (location === null) return visited;
    const next = new URL(location, url);
    if (next.origin !== url.origin) return { ...visited, url: next };
    return visit(next, { 'sec-fetch-site': headers['sec-fetch-site']! });
  };
  return {
    open: (url, from = 'cross-site') => visit(new URL(url), { 'sec-fetch-site': from }),
    submit: ({ url, html }, fields) => {
      const proof = /name="proof" value="([^"]+)"/.exec(html)?.[1] ?? '';
      const headers = {
        origin: url.origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      };
      return visit(url, headers, new URLSearchParams({ proof, ...fields }).toString());
    },
  };
}

/** Node's fetch sets the header for the kind of request itself. */
async function send(url: URL, headers: Readonly<Record<string, string>>, body?: string): Promise<Visit> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  });
  sent.once('response', resolve).once('error', reject).end(body);
  const response = await promise;
  const answered = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) answered.append(name, value);
  return { url, status: response.statusCode!, headers: answered, html: await text(response) };
}
