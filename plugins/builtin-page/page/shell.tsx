import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { messageOf, signedOut, signOut } from './api.ts';
import { Bridge } from './bridge/bridge.tsx';
import { connected, questions } from './live/live.ts';
import { look, nextLook, setLook } from './look.ts';
import { HiddenText } from './parts/hidden-text.tsx';
import { ProofDialog } from './parts/proof-dialog.tsx';
import { links, screenPath } from './plugin-links.ts';
import { path } from './router.ts';
import { later } from './later.tsx';
import { singleKeys } from './shortcuts.ts';
import { ApprovalsScreen } from './screens/approvals/screen.tsx';
import { HomeScreen } from './screens/home/screen.tsx';
import { SignedOut } from './screens/signed-out.tsx';
import { ToolsScreen } from './screens/tools/screen.tsx';
import { TraceScreen } from './screens/trace/screen.tsx';

const PluginScreen = later(
  async () => (await import('./screens/plugins/screen.tsx')).PluginScreen,
  'Screen of a plugin',
);
const UsageScreen = later(async () => (await import('./screens/usage/screen.tsx')).UsageScreen, 'Usage');
const ChatScreen = later(async () => (await import('./screens/chat/screen.tsx')).ChatScreen, 'Chat');
const AgentsScreen = later(async () => (await import('./screens/agents/screen.tsx')).AgentsScreen, 'Agents');
const ServersScreen = later(
  async () => (await import('./screens/servers/screen.tsx')).ServersScreen,
  'Servers',
);
const SecretsScreen = later(
  async () => (await import('./screens/secrets/screen.tsx')).SecretsScreen,
  'Secrets',
);
const SettingsScreen = later(
  async () => (await import('./screens/settings/screen.tsx')).SettingsScreen,
  'Settings',
);
const ManifestsScreen = later(
  async () => (await import('./screens/manifests/screen.tsx')).ManifestsScreen,
  'Manifests',
);

/** In the order of the navigation. `part`: the first part of the path. */
const screens = [
  { part: '', name: 'Home', key: 'h', Screen: HomeScreen },
  { part: 'chat', name: 'Chat', key: 'c', Screen: ChatScreen },
  { part: 'tools', name: 'Tools', key: 't', Screen: ToolsScreen },
  { part: 'manifests', name: 'Manifests', key: 'm', Screen: ManifestsScreen },
  { part: 'servers', name: 'Servers', key: 's', Screen: ServersScreen },
  { part: 'agents', name: 'Agents', key: 'g', Screen: AgentsScreen },
  { part: 'trace', name: 'Trace', key: 'l', Screen: TraceScreen },
  { part: 'approvals', name: 'Approvals', key: 'a', Screen: ApprovalsScreen },
  { part: 'usage', name: 'Usage', key: 'u', Screen: UsageScreen },
  { part: 'secrets', name: 'Secrets', key: 'k', Screen: SecretsScreen },
  { part: 'settings', name: 'Settings', key: ',', Screen: SettingsScreen },
] as const;

/** The screen that the address names. */
function current(): { readonly part: string; readonly name: string; readonly Screen: ComponentType } {
  const [part, plugin, screen] = path.value;
  if (part !== 'plugins') return screens.find((one) => one.part === part) ?? screens[0];
  const link = links.value.value?.screens.find((one) => one.plugin === plugin && one.screen === screen);
  return { part, name: link?.title ?? 'Screen of a plugin', Screen: PluginScreen };
}

/** The navigation beside the screen that the address names. */
export function Shell() {
  const screen = current();
  const waiting = questions.value?.length ?? 0;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${screen.name} · Pegboard`;
  }, [waiting, screen.name]);
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
      <Navigation part={screen.part} waiting={waiting} />
      <main id="main" ref={main} tabIndex={-1}>
        <Screen />
      </main>
      <Announcements waiting={waiting} />
      <Bridge />
      <ProofDialog />
    </>
  );
}

function Navigation({ part: shown, waiting }: { readonly part: string; readonly waiting: number }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On phones it is one line, of which not all is seen.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path.value, links.value.value]);
  return (
    <header class="rail" data-screen={shown}>
      <a class="brand" href="/" tabIndex={-1} aria-hidden="true">
        <img src="/icon.svg" alt="" width={22} height={22} />
        Pegboard
      </a>
      <nav ref={nav} aria-label="Screens">
        {screens.map(({ part, name, key }) => (
          <a
            href={`/${part}`}
            aria-current={part === shown ? 'page' : undefined}
            aria-keyshortcuts={singleKeys.value ? key : undefined}
          >
            <span>{name}</span>
            {part === 'approvals' && waiting > 0 ? (
              <span class="badge" aria-label={`${waiting} waiting`} role="img">
                {waiting > 99 ? '99+' : waiting}
              </span>
            ) : (
              singleKeys.value && <kbd aria-hidden="true">{key}</kbd>
            )}
          </a>
        ))}
        <PluginLinks />
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

/** The screens that plugins declare, as far as they run. */
function PluginLinks() {
  useEffect(() => links.follow(), []);
  const [part, plugin, screen] = path.value;
  return (
    <>
      {(links.value.value?.screens ?? []).map((link) => {
        const isShown = part === 'plugins' && link.plugin === plugin && link.screen === screen;
        return (
          <a href={screenPath(link)} aria-current={isShown ? 'page' : undefined}>
            <span class="cut">
              <HiddenText text={link.title} />
            </span>
          </a>
        );
      })}
    </>
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
