import type { Provider } from '../choice/provider.ts';

/** Milliseconds: nobody waits longer for something that is only good to know. */
const timeoutMs = 1500;

/** GET of a path beside the base URL; undefined when there is no JSON answer in time. */
export async function askServer(
  { baseUrl, apiKey, headers }: Pick<Provider, 'baseUrl' | 'apiKey' | 'headers'>,
  path: string,
  limit = timeoutMs,
): Promise<unknown> {
  try {
    const response = await fetch(new URL(path, `${baseUrl.replace(/\/+$/, '')}/`), {
      headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
      signal: AbortSignal.timeout(limit),
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    // Not there, not in time or not JSON: for the caller all the same.
    return undefined;
  }
}

/** Ids of the models that a server lists; embedding models are no answerers. */
export async function listModels(
  provider: Pick<Provider, 'baseUrl' | 'apiKey' | 'headers'>,
  limit?: number,
): Promise<string[] | undefined> {
  const answer = (await askServer(provider, 'models', limit)) as { readonly data?: unknown } | undefined;
  if (!Array.isArray(answer?.data)) return undefined;
  const ids = (answer.data as { readonly id?: unknown }[]).map(({ id }) => id);
  return ids.filter((id) => typeof id === 'string').filter((id) => !/embed/i.test(id));
}
