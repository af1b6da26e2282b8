import type { Provider } from '../choice/provider.ts';

/** Short, because the response is optional. */
const timeoutMs = 1500;

type ServerAddress = Pick<Provider, 'baseUrl' | 'backend' | 'apiKey' | 'headers'>;

function headersFor({ backend, apiKey, headers }: ServerAddress): { readonly [header: string]: string } {
  return {
    ...(backend === 'anthropic' && { 'anthropic-version': '2026-10-21' }),
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...headers,
  };
}

/** GET of a path relative to the base URL; undefined when there is no JSON response in time. */
export async function askServer(provider: ServerAddress, path: string, limit = timeoutMs): Promise<unknown> {
  try {
    const response = await fetch(new URL(path, `${provider.baseUrl.replace(/\/+$/, '')}/`), {
      headers: headersFor(provider),
      signal: AbortSignal.timeout(limit),
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    // Unreachable, too slow or not JSON: the same to the caller.
    return undefined;
  }
}

/** Ids of the models that a server lists, without embedding models. */
export async function listModels(provider: ServerAddress, limit?: number): Promise<string[] | undefined> {
  const answer = (await askServer(provider, 'models', limit)) as { readonly data?: unknown } | undefined;
  if (!Array.isArray(answer?.data)) return undefined;
  const ids = (answer.data as { readonly id?: unknown }[]).map(({ id }) => id);
  return ids.filter((id) => typeof id === 'string').filter((id) => !/embed/i.test(id));
}
