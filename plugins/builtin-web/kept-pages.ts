import type { Validators } from './fetch-public.ts';
import type { WebPage } from './web-page.ts';

interface KeptPage {
  readonly page: WebPage;
  readonly validators: Validators;
}

/** Pages that were read lately, by the address that was asked for: whoever asks again learns only whether they changed. */
export interface KeptPages {
  get(address: string): KeptPage | undefined;
  /** Returns the page that is kept already, when nothing has changed but its validators. */
  keep(address: string, kept: KeptPage): WebPage;
}

const maxPages = 20;
/** Characters: longer ones are read anew. */
const maxPageLength = 1_000_000;

export function createKeptPages(): KeptPages {
  const pages = new Map<string, KeptPage>();
  return {
    get: (address) => pages.get(address),
    keep(address, { page, validators }) {
      const before = pages.get(address)?.page;
      const isSame =
        before?.markdown === page.markdown && before.title === page.title && before.url === page.url;
      const now = isSame ? before : page;
      // The last one read is the last to go.
      pages.delete(address);
      if (page.markdown.length <= maxPageLength) pages.set(address, { page: now, validators });
      const [oldest] = pages.keys();
      if (pages.size > maxPages) pages.delete(oldest!);
      return now;
    },
  };
}
