import type { Provider } from '../choice/provider.ts';
import { parseJson } from '../../../core/documents/written-numbers.ts';
import { fetchAtOrigin, RedirectedElsewhere } from '../../../core/http/fetch-at-origin.ts';
import { deepestReason } from '../failure.ts';

/** Short, because the response is optional. */
const timeoutMs = 1500;

export type ServerAddress = Pick<Provider, 'baseUrl' | 'backend' | 'apiKey' | 'headers'>;

/** What a server answered: JSON, another answer than 200 with JSON, nothing in time, or another server's address. */
export type ServerAnswer =
  | { readonly json: unknown }
  | { readonly status: number }
  | { readonly unreachable: string }
  | { readonly redirectedTo: string };

function headersFor({ backend, apiKey, headers }: ServerAddress): { readonly [header: string]: string } {
  const key: { [header: string]: string } = {};
  if (apiKey !== undefined) {
    if (backend === 'anthropic') key['x-api-key'] = apiKey;
    else key['authorization'] = `Bearer ${apiKey}`;
  }
  return { ...(backend === 'anthropic' && { 'anthropic-version': '2026-10-21' }), ...key, ...headers };
}

/** GET of a path relative to the base URL. Never throws. */
export async function getFromServer(
  provider: ServerAddress,
  path: string,
  limit = timeoutMs,
): Promise<ServerAnswer> {
  try {
    const response = await fetchAtOrigin(new URL(path, `${provider.baseUrl.replace(/\/+$/, '')}/`), {
      headers: headersFor(provider),
      signal: AbortSignal.timeout(limit),
    });
    const { status } = response;
    if (!response.ok) return { status };
    const text = await response.text();
    try {
      return { json: parseJson(text) };
    } catch {
      return { status };
    }
  } catch (thrown) {
    if (thrown instanceof RedirectedElsewhere) return { redirectedTo: thrown.to };
    const isLate = thrown instanceof Error && thrown.name === 'TimeoutError';
    return { unreachable: isLate ? `no answer within ${limit / 1000} s` : deepestReason(thrown) };
  }
}

/** GET of a path relative to the base URL; undefined when there is no JSON response in time. */
export async function askServer(provider: ServerAddress, path: string, limit?: number): Promise<unknown> {
  const answer = await getFromServer(provider, path, limit);
  return 'json' in answer ? answer.json : undefined;
}

/** Ids of the models that a server lists, without embedding models. */
export async function listModels(provider: ServerAddress, limit?: number): Promise<string[] | undefined> {
  return idsIn(await askServer(provider, 'models', limit));
}

/** Of an answer of `models`; undefined for something else. */
export function idsIn(answer: unknown): string[] | undefined {
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const ids = (data as { readonly id?: unknown }[]).map((entry) => entry?.id);
  return ids.filter((id) => typeof id === 'string').filter((id) => !/embed/i.test(id));
}
