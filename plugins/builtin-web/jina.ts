import { PegboardError } from 'pegboard';
import type { WebPage } from './web-page.ts';

const defaultBase = 'https://r.jina.ai';
/** Milliseconds. */
const timeoutMs = 25_000;

/** The page doesn't exist, so other readers would fail as well. */
export const isUnavailable = (cause: unknown): boolean =>
  cause instanceof PegboardError &&
  [404, 410].includes((cause.data as { readonly status?: number } | undefined)?.status ?? 0);

/** A page as Jina Reader sees it: https://jina.ai/reader. Throws PEG_TOOL_FAILED. */
export async function readThroughJina(
  address: string,
  {
    key,
    base = defaultBase,
    signal,
  }: { readonly key: string; readonly base: string | undefined; readonly signal: AbortSignal },
): Promise<WebPage> {
  const response = await fetch(`${base.replace(/\/$/, '')}/${address}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'application/json', 'x-return-format': 'markdown' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (!response.ok)
    throw new PegboardError('PEG_TOOL_FAILED', `Jina Reader answers with ${response.status}.`);
  const { data } = (await response.json()) as {
    readonly data?: {
      readonly title?: string;
      readonly url?: string;
      readonly content?: string;
      readonly warning?: string;
    };
  };
  // Jina itself answers 200 for a missing page.
  const status = Number(/^Target URL returned error (\d{3})/.exec(data?.warning ?? '')?.[1] ?? 200);
  if (status >= 400)
    throw new PegboardError('PEG_TOOL_FAILED', `${address} answers with ${status}.`, { data: { status } });
  if (typeof data?.content !== 'string') {
    throw new PegboardError('PEG_TOOL_FAILED', 'Jina Reader did not return a page.');
  }
  return { title: data.title, url: data.url ?? address, markdown: data.content, cut: false };
}
