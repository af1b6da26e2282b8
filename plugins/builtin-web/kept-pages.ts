import { LRUCache } from 'lru-cache';
import type { Validators } from './fetch-public.ts';
import type { WebPage } from './web-page.ts';

interface KeptPage {
  readonly page: WebPage;
  readonly validators: Validators;
}

/** Recently read pages by their requested address, so that repeated reads only check for changes. */
export interface KeptPages {
  get(address: string): KeptPage | undefined;
  /** Returns the stored page if nothing but its validators has changed. */
  keep(address: string, kept: KeptPage): WebPage;
}

const maxPages = 20;
/** Maximum characters of a stored page. Longer ones are always read again. */
const maxPageLength = 1_000_000;

export function createKeptPages(): KeptPages {
  const pages = new LRUCache<string, KeptPage>({ max: maxPages });
  return {
    get: (address) => pages.get(address),
    keep(address, { page, validators }) {
      const before = pages.get(address)?.page;
      const isSame =
        before?.markdown === page.markdown && before.title === page.title && before.url === page.url;
      const now = isSame ? before : page;
      if (page.markdown.length > maxPageLength) pages.delete(address);
      else pages.set(address, { page: now, validators });
      return now;
    },
  };
}
