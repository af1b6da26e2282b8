const statuses = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 5;
const maxShown = 200;

/** A server answered with the address of another one, which got nothing. */
export class RedirectedElsewhere extends Error {
  /** The address, without credentials and query. */
  readonly to: string;

  constructor(to: string) {
    super(`it redirects to another server, ${to}, which was sent nothing`);
    this.name = 'RedirectedElsewhere';
    this.to = to;
  }
}

/**
 * `fetch` for a server that gets a key or a conversation: a redirect is followed only within its own origin, and never
 * with another method. Throws RedirectedElsewhere for any other.
 */
export const fetchAtOrigin = async (
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> => {
  let url = new URL(input instanceof Request ? input.url : input);
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!statuses.has(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, url);
    const keepsMethod = response.status >= 307 || (init.method ?? 'GET').toUpperCase() === 'GET';
    if (next?.origin !== url.origin || !keepsMethod) throw new RedirectedElsewhere(shown(next ?? url));
    if (redirects === maxRedirects) throw new Error('it redirects without end');
    url = next;
  }
};

function shown({ origin, pathname, protocol }: URL): string {
  const address = `${/^https?:$/.test(protocol) ? origin : protocol}${pathname}`;
  return address.length > maxShown ? `${address.slice(0, maxShown)}…` : address;
}
