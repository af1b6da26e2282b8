import { PegboardError, type PluginContext } from 'pegboard';
import type { WebConfig } from './config.ts';
import { toMarkdown } from './extract.ts';
import { checkAddress, fetchPublic } from './fetch-public.ts';
import { createKeptPages } from './kept-pages.ts';
import { isUnavailable, readThroughJina } from './jina.ts';
import type { WebPage } from './web-page.ts';

export interface PageReader {
  /**
   * Reads the current page. Returns the same object as last time if nothing has changed. Throws PEG_DENIED for
   * addresses that are not public and PEG_TOOL_FAILED when the page can't be read.
   */
  read(address: string, signal: AbortSignal): Promise<WebPage>;
}

const megabyte = 1024 * 1024;

/** Uses Jina Reader if there is a key, and reads directly without one or when Jina fails. */
export function createPageReader(context: PluginContext<WebConfig>): PageReader {
  const { config, log } = context;
  const { allowHosts } = config;
  const key = context.variable('JINA_API_KEY');
  const base = context.variable('JINA_BASE_URL');
  const kept = createKeptPages();

  const direct = async (address: string, signal: AbortSignal): Promise<WebPage> => {
    const known = kept.get(address);
    const page = await fetchPublic(address, {
      allowHosts,
      maxBytes: config.maxMegabytes * megabyte,
      signal,
      ...(known && { known: known.validators }),
    });
    if (page.status === 304 && known) return known.page;
    if (page.status >= 300) {
      throw new PegboardError('PEG_TOOL_FAILED', `${page.url} answers with ${page.status}.`);
    }
    const { url, cut, validators } = page;
    return kept.keep(address, { page: { url, cut, ...(await toMarkdown(page, signal)) }, validators });
  };
  return {
    async read(address, signal) {
      if (key === undefined) return await direct(address, signal);
      const url = URL.parse(address);
      // Private addresses must not be sent to Jina either.
      if (url) checkAddress(url, { allowHosts: [] });
      try {
        return await readThroughJina(address, { key, base, signal });
      } catch (cause) {
        if (signal.aborted || isUnavailable(cause)) throw cause;
        log.warn('Jina Reader failed; the page is read directly', { cause });
        return await direct(address, signal);
      }
    },
  };
}
