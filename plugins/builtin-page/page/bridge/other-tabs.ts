/** A tab, and which time it was loaded. */
export interface LoadedTab {
  readonly tab: string;
  readonly load: string;
}

type Message =
  | { readonly opened: LoadedTab }
  /** To a tab that was opened. */
  | { readonly here: LoadedTab }
  /** Somebody has told the host. */
  | { readonly told: string };

/**
 * Calls back when another tab of this browser is closed, in one of the tabs that are left. Each holds a lock for as long as
 * it lives, and the others wait for it. Without a secure connection browsers have no locks, and nobody is called.
 */
export function followOtherTabs(own: LoadedTab, onClosed: (closed: LoadedTab) => void): void {
  if (!('locks' in navigator)) return;
  const tabs = new BroadcastChannel('pegboard-tabs');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const tell = (message: Message): void => tabs.postMessage(message);
  const followed = new Set<string>();
  const told = new Set<string>();
  let isHeld = false;
  const nameOf = ({ load }: LoadedTab): string => `pegboard-tab-${load}`;

  const follow = async (other: LoadedTab): Promise<void> => {
    if (followed.has(other.load)) return;
    followed.add(other.load);
    await navigator.locks.request(nameOf(other), async () => {
      if (told.has(other.load)) return;
      tell({ told: other.load });
      onClosed(other);
    });
  };
  tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('told' in data) return void told.add(data.told);
    const other = 'opened' in data ? data.opened : data.here;
    if (other.load === own.load) return;
    if ('opened' in data && isHeld) tell({ here: own });
    void follow(other);
  });
  void navigator.locks.request(nameOf(own), () => {
    // Before that, others would get the lock at once.
    isHeld = true;
    tell({ opened: own });
    return new Promise<never>(() => {});
  });
}
