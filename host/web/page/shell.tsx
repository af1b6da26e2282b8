import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { messageOf, signedOut, signOut } from './api.ts';
import { Bridge } from './bridge/bridge.tsx';
import { connected, questions } from './live/live.ts';
import { look, nextLook, setLook } from './look.ts';
import { ProofDialog } from './parts/proof-dialog.tsx';
import { path } from './router.ts';
import { later } from './later.tsx';
import { ApprovalsScreen } from './screens/approvals/screen.tsx';
import { HomeScreen } from './screens/home/screen.tsx';
import { SignedOut } from './screens/signed-out.tsx';
import { ToolsScreen } from './screens/tools/screen.tsx';
import { TraceScreen } from './screens/trace/screen.tsx';

const ChatScreen = later(async () => (await import('./screens/chat/screen.tsx')).ChatScreen, 'Chat');
const AgentsScreen = later(async () => (await import('./screens/agents/screen.tsx')).AgentsScreen, 'Agents');
const ServersScreen = later(
  async () => (await import('./screens/servers/screen.tsx')).ServersScreen,
  'Servers',
);

/** In the order of the navigation. `part`: the first part of the path. */
const screens = [
  { part: '', name: 'Home', key: 'h', Screen: HomeScreen },
  { part: 'chat', name: 'Chat', key: 'c', Screen: ChatScreen },
  { part: 'tools', name: 'Tools', key: 't', Screen: ToolsScreen },
  { part: 'servers', name: 'Servers', key: 's', Screen: ServersScreen },
  { part: 'agents', name: 'Agents', key: 'g', Screen: AgentsScreen },
  { part: 'trace', name: 'Trace', key: 'l', Screen: TraceScreen },
  { part: 'approvals', name: 'Approvals', key: 'a', Screen: ApprovalsScreen },
] as const;

/** The navigation beside the screen that the address names. */
export function Shell() {
  const screen = screens.find(({ part }) => part === path.value[0]) ?? screens[0];
  const waiting = questions.value?.length ?? 0;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${screen.name} · Pegboard`;
  }, [waiting, screen]);
  useEffect(() => {
    // Readers go on with what is new: on narrow windows the list that had the focus is hidden.
    const focused = document.activeElement;
    if (!isFirst.current && !(main.current?.contains(focused) && focused?.checkVisibility()))
      main.current?.focus();
    isFirst.current = false;
  }, [path.value]);
  if (signedOut.value !== undefined) return <SignedOut why={signedOut.value} />;
  const { Screen } = screen;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        To the content
      </a>
      <Navigation current={screen.part} waiting={waiting} />
      <main id="main" ref={main} tabIndex={-1}>
        <Screen />
      </main>
      <Announcements waiting={waiting} />
      <Bridge />
      <ProofDialog />
    </>
  );
}

function Navigation({ current, waiting }: { readonly current: string; readonly waiting: number }) {
  return (
    <header class="rail" data-screen={current}>
      <a class="brand" href="/" tabIndex={-1} aria-hidden="true">
        <img src="/icon.svg" alt="" width={22} height={22} />
        Pegboard
      </a>
      <nav aria-label="Screens">
        {screens.map(({ part, name, key }) => (
          <a href={`/${part}`} aria-current={part === current ? 'page' : undefined} aria-keyshortcuts={key}>
            <span>{name}</span>
            {part === 'approvals' && waiting > 0 ? (
              <span class="badge" aria-label={`${waiting} waiting`} role="img">
                {waiting > 99 ? '99+' : waiting}
              </span>
            ) : (
              <kbd aria-hidden="true">{key}</kbd>
            )}
          </a>
        ))}
      </nav>
      <div class="foot">
        <Connection />
        <button type="button" class="plain" onClick={() => setLook(nextLook())}>
          Look: {look.value}
        </button>
        <SignOutButton />
      </div>
    </header>
  );
}

/** Signing out by accident would need a terminal to mend. */
function SignOutButton() {
  const isAsking = useSignal(false);
  const problem = useSignal('');
  const press = (): void => {
    if (!isAsking.value) return void (isAsking.value = true);
    signOut().catch((cause: unknown) => (problem.value = messageOf(cause)));
  };
  return (
    <button type="button" class="plain" onBlur={() => (isAsking.value = false)} onClick={press}>
      {problem.value || (isAsking.value ? 'Press again to sign out' : 'Sign out')}
    </button>
  );
}

function Connection() {
  const is = connected.value;
  return (
    <p class="connection">
      <span class={is === undefined ? 'dot wait' : is ? 'dot' : 'dot off'} />
      {is === undefined ? 'connecting' : is ? 'live' : 'not connected'}
    </p>
  );
}

/** For readers who don't see the badge and the dot. */
function Announcements({ waiting }: { readonly waiting: number }) {
  const said =
    waiting === 0 ? '' : waiting === 1 ? 'A question waits for you.' : `${waiting} questions wait for you.`;
  return (
    <p class="for-readers" role="status">
      {said} {connected.value === false && 'Not connected to the host. What is shown may be old.'}
    </p>
  );
}
