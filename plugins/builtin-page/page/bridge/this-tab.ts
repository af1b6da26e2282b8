import { toJson } from 'pegboard/browser';
import { effect } from '@preact/signals';
import { post, request } from '../api.ts';
import { path } from '../router.ts';
import { followOtherTabs } from './other-tabs.ts';

/** How often the tab says that it is there. */
const reportMs = 30_000;
/** Keys and pointers are reported this often, while no other tab is used. */
const activeMs = 5_000;
const keyName = 'pegboard-tab';

const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** The id of this tab. It keeps it when it is loaded again; a copy of it gets its own. */
export const thisTab = ((): string => {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const known = navigation?.type === 'reload' ? sessionStorage.getItem(keyName) : null;
  const id = known ?? randomId();
  sessionStorage.setItem(keyName, id);
  return id;
})();

/** Another one each time that the tab is loaded: what is said of an earlier one means nothing. */
const load = randomId();

/** Tells the host what this tab shows and when it was used, until it is closed. */
export function reportTab(): void {
  let activeAt = Date.now();
  let reportedAt = 0;
  const report = (): void => {
    reportedAt = Date.now();
    const [screen, chat] = path.value;
    const body = {
      load,
      isVisible: document.visibilityState === 'visible',
      idleMs: Date.now() - activeAt,
      ...(screen === 'chat' && chat !== undefined && { chat }),
    };
    // While the host is away there is nobody to tell.
    post(`tab/${thisTab}`, body).catch(() => {});
  };
  const used = new BroadcastChannel('pegboard-used');
  let isLastUsed = false;
  used.addEventListener('message', () => (isLastUsed = false));
  const isActive = (): void => {
    activeAt = Date.now();
    if (isLastUsed && activeAt - reportedAt <= activeMs) return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    if (!isLastUsed) used.postMessage(load);
    isLastUsed = true;
    report();
  };
  for (const event of ['keydown', 'pointerdown', 'pointermove'] as const)
    addEventListener(event, isActive, { passive: true, capture: true });
  addEventListener('visibilitychange', report);
  addEventListener('focus', isActive);
  addEventListener('pagehide', () => tellClosed({ tab: thisTab, load }));
  addEventListener('pageshow', report);
  setInterval(report, reportMs);
  effect(report);
  // A browser that is in a hurry sends nothing for a tab that it closes.
  followOtherTabs({ tab: thisTab, load }, tellClosed);
}

function tellClosed({ tab, load: closed }: { readonly tab: string; readonly load: string }): void {
  request(`tab-closed/${tab}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: toJson({ load: closed }),
    keepalive: true,
  }).catch(() => {});
}
