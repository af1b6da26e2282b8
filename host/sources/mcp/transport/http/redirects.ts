import { SdkErrorCode, SdkHttpError, type FetchLike } from '@modelcontextprotocol/client';

/** Maximum number of redirects in a row. */
const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);
/** Only these repeat a POST elsewhere; after others it would become a GET, which is not a call. */
const keepMethod = new Set([307, 308]);

export interface Redirectable {
  readonly status: number;
  readonly location: string | undefined;
}

/**
 * Sends to `start` and follows its redirects: within its origin, with the same method, never to the same address twice.
 * Throws an SdkHttpError that says why another redirect isn't followed.
 */
export async function followRedirects<T extends Redirectable>(
  start: URL,
  method: string,
  send: (url: URL) => Promise<T>,
): Promise<T> {
  const seen = new Set<string>();
  for (let url = start; ;) {
    seen.add(url.href);
    const answer = await send(url);
    if (!redirects.has(answer.status) || answer.location === undefined) return answer;
    const target = URL.parse(answer.location, url);
    if (!target) throw notFollowed(answer.status, 'nowhere', 'that is not an address');
    const why = whyNot(url, target, answer.status, method, seen);
    // The query may hold a secret.
    if (why !== undefined) throw notFollowed(answer.status, `${target.origin}${target.pathname}`, why);
    url = target;
  }
}

function whyNot(
  from: URL,
  to: URL,
  status: number,
  method: string,
  seen: ReadonlySet<string>,
): string | undefined {
  if (to.username !== '' || to.password !== '') return 'it contains a user name or password';
  if (seen.has(to.href)) return 'the request was sent there already';
  if (seen.size > maxRedirects) return `there were ${maxRedirects} redirects before it`;
  if (!isSameOrigin(from, to)) return `that is another server. ${mayBeAddress}`;
  return method !== 'GET' && !keepMethod.has(status)
    ? `such a redirect drops the request body. ${mayBeAddress}`
    : undefined;
}

/** The same origin, or its https form, both on the default ports. */
const isSameOrigin = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === '');

const mayBeAddress = "If that is its address, write it into the server's entry as its url";

function notFollowed(status: number, place: string, why: string): SdkHttpError {
  const text = `it redirects to ${place}, which is not followed: ${why}`;
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, text, { status, text });
}

/** A fetch for one server that follows redirects by these rules. */
export const followingFetch =
  (base: FetchLike): FetchLike =>
  async (target, init) => {
    const { response } = await followRedirects(new URL(target), init?.method ?? 'GET', async (url) => {
      const answer = await base(url, { ...init, redirect: 'manual' });
      const location = answer.headers.get('location') ?? undefined;
      if (redirects.has(answer.status)) await answer.body?.cancel();
      return { status: answer.status, location, response: answer };
    });
    return response;
  };
