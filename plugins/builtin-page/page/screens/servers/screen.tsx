import { useEffect } from 'preact/hooks';
import { ConfigProblems } from '../../parts/config-problems.tsx';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Offline } from '../../parts/offline.tsx';
import { path, serverPath } from '../../router.ts';
import { refreshing } from '../../live/refreshing.ts';
import type { ServerList, ServerRow } from '../../../servers/wire.ts';
import { reading } from '../../live/reading.ts';
import { AddServer } from './add/screen.tsx';
import { ServerPage } from './server-page.tsx';
import { countsOf, State } from './state.tsx';

/** In the place of a name, which never begins so. */
const adding = '+add';
const servers = reading<ServerList>('servers');

/** Why doesn't it work? */
export function ServersScreen() {
  const chosen = path.value[1] ?? '';
  useEffect(() => refreshing(servers), []);
  return (
    <div class={chosen === '' ? 'split' : 'split chosen'}>
      <div class="side">
        <Servers chosen={chosen} />
      </div>
      <div key={chosen} class="detail scroll">
        {servers.value.value && <Offline />}
        {chosen === '' ? (
          <Overview list={servers.value.value} />
        ) : chosen === adding ? (
          <AddServer />
        ) : (
          <ServerPage name={chosen} />
        )}
      </div>
    </div>
  );
}

function Servers({ chosen }: { readonly chosen: string }) {
  const list = servers.value.value;
  return (
    <>
      <div class="row">
        <h1>Servers</h1>
        <span class="grow" />
        <a class="button" href={`/servers/${adding}`} aria-current={chosen === adding ? 'page' : undefined}>
          Add a server
        </a>
      </div>
      {!list && <Offline knowsNothing />}
      {servers.problem.value !== undefined && !list && (
        <Broken
          what="The servers could not be read."
          why={servers.problem.value}
          again={() => void servers.read()}
        />
      )}
      {list?.servers.length === 0 && <p class="quiet empty">No MCP server yet.</p>}
      <ul class="entries list">
        {list?.servers.map((row) => (
          <li key={row.name}>
            <a
              class="item"
              href={serverPath(row.name)}
              aria-current={row.name === chosen ? 'page' : undefined}
            >
              <span class="first">
                <b>
                  <HiddenText text={row.name} />
                </b>
                <State state={row.state} />
              </span>
              <span class="second">{row.state === 'off' ? 'turned off' : countsOf(row)}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What is shown while no server is chosen. */
function Overview({ list }: { readonly list: ServerList | undefined }) {
  if (!list) return <p class="quiet hello">Loading…</p>;
  return (
    <>
      <p class="hello">{sentenceOf(list.servers)}</p>
      {list.invalid.length > 0 && (
        <section class="sheet" aria-labelledby="invalid">
          <h2 id="invalid">Left out, because the entry is invalid</h2>
          <ConfigProblems problems={list.invalid} />
        </section>
      )}
    </>
  );
}

function sentenceOf(rows: readonly ServerRow[]): string {
  if (rows.length === 0) return 'No MCP server is configured. Its tools would show next to your own.';
  const broken = rows.filter(({ state }) => state === 'failed' || state === 'needs a login').length;
  const held = rows.filter(({ held: count }) => count > 0).length;
  const fails = broken === 0 ? '' : broken === 1 ? '1 server does not work' : `${broken} servers do not work`;
  const waits =
    held === 0
      ? ''
      : held === 1
        ? '1 server has something held back'
        : `${held} servers have something held back`;
  if (fails && waits) return `${fails}, and ${waits}.`;
  return fails || waits
    ? `${fails || waits}.`
    : 'No server has a problem. Choose one to see its tools and its log.';
}
