import { effect } from '@preact/signals';
import { post, request } from '../api.ts';
import { path } from '../router.ts';

/** How often the tab says that it is there. */
const reportMs = 30_000;
/** Keys and pointers are reported at most this often. */
const activeMs = 5_000;
const keyName = 'pegboard-tab';

/** The id of this tab. It keeps it when it is loaded again; a copy of it gets its own. */
export const thisTab = ((): string => {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const known = navigation?.type === 'reload' ? sessionStorage.getItem(keyName) : null;
  const id =
    known ??
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    );
  sessionStorage.setItem(keyName, id);
  return id;
})();

/** Tells the host what this tab shows and when it was used, until it is closed. */
export function reportTab(): void {
  let activeAt = Date.now();
  let reportedAt = 0;
  const report = (): void => {
    reportedAt = Date.now();
    const [screen, chat] = path.value;
    const body = {
      isVisible: document.visibilityState === 'visible',
      idleMs: Date.now() - activeAt,
      ...(screen === 'chat' && chat !== undefined && { chat }),
    };
    // While the host is away there is nobody to tell.
    post(`tab/${thisTab}`, body).catch(() => {});
  };
  const isActive = (): void => {
    activeAt = Date.now();
    if (activeAt - reportedAt > activeMs) report();
  };
  for (const event of ['keydown', 'pointerdown', 'pointermove'] as const)
    addEventListener(event, isActive, { passive: true, capture: true });
  addEventListener('visibilitychange', report);
  addEventListener('focus', isActive);
  addEventListener('pagehide', () => {
    request(`tab-closed/${thisTab}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      keepalive: true,
    }).catch(() => {});
  });
  addEventListener('pageshow', report);
  setInterval(report, reportMs);
  effect(report);
}
