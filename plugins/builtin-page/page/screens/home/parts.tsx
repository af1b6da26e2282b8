import type { ComponentChildren } from 'preact';
import type { HomeStatus } from '../../../wire.ts';
import { program } from '../../program.ts';
import { Words } from '../../parts/words.tsx';

interface Props {
  readonly status: HomeStatus;
}

/** How a state is shown: its colour says the same as its word. */
const tones: { readonly [state: string]: string } = {
  ok: 'good',
  running: 'good',
  connected: 'good',
  active: 'good',
  ready: 'good',
  warn: 'warn',
  warning: 'warn',
  pending: 'warn',
  untrusted: 'warn',
  unauthorized: 'warn',
  connecting: 'warn',
  failed: 'bad',
  error: 'bad',
  broken: 'bad',
};

const State = ({ state }: { readonly state: string }) => (
  <span class={`state ${tones[state] ?? 'quiet'}`}>{state}</span>
);

function Part({
  title,
  count,
  empty,
  children,
}: {
  readonly title: string;
  readonly count: number;
  readonly empty: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="sheet">
      <h2>{title}</h2>
      {count === 0 ? (
        <p class="quiet">
          <Words text={empty} />
        </p>
      ) : (
        <ul class="rows">{children}</ul>
      )}
    </section>
  );
}

/** What still runs is no failure, whatever is said of it. */
function Problem({ text, state }: { readonly text: string | undefined; readonly state: string }) {
  if (text === undefined) return null;
  return (
    <p class={tones[state] === 'good' ? 'warn' : (tones[state] ?? 'quiet')}>
      <Words text={text} />
    </p>
  );
}

export function Model({ status: { model, sandbox } }: Props) {
  return (
    <Part title="Model and sandbox" count={1} empty="">
      <li>
        <State state={model.ok ? 'ok' : 'none'} /> Model
        <p class="quiet">
          <Words text={model.text} />
        </p>
        {model.fix !== undefined && (
          <p>
            <Words text={model.fix} />
          </p>
        )}
      </li>
      <li>
        <State state={sandbox.ok ? 'ok' : 'off'} /> Sandbox
        <p class="quiet">
          <Words text={sandbox.text} />
        </p>
      </li>
    </Part>
  );
}

export function Servers({ status: { servers } }: Props) {
  return (
    <Part
      title="MCP servers"
      count={servers.length}
      empty={`No server is configured. \`${program.value} mcp add\` adds one.`}
    >
      {servers.map(({ name, state, tools, problem }) => (
        <li key={name}>
          <State state={state} /> <b>{name}</b>{' '}
          <span class="quiet">{tools === 1 ? '1 tool' : `${tools} tools`}</span>
          <Problem text={problem} state={state} />
        </li>
      ))}
    </Part>
  );
}

export function Reports({ status: { reports } }: Props) {
  return (
    <Part title="Services" count={reports.length} empty="No service runs in this host.">
      {reports.map(({ name, status, message }) => (
        <li key={name}>
          <State state={status} /> <b>{name}</b>
          <p class="quiet">
            <Words text={message} />
          </p>
        </li>
      ))}
    </Part>
  );
}

export function Spaces({ status: { spaces } }: Props) {
  return (
    <Part title="Spaces" count={spaces.length} empty={`No space yet. \`${program.value} init\` makes one.`}>
      {spaces.map(({ id, agents, pending }) => (
        <li key={id}>
          <b>{id}</b>{' '}
          <span class="quiet">
            {agents.length === 0
              ? 'no agent'
              : agents.length === 1
                ? `agent ${agents[0]}`
                : `agents ${agents.join(', ')}`}
          </span>
          {pending && (
            <p>
              <a href="/approvals">New or changed: not used before you accept it.</a>
            </p>
          )}
        </li>
      ))}
    </Part>
  );
}

export function Plugins({ status: { plugins } }: Props) {
  return (
    <Part title="Plugins" count={plugins.length} empty="No plugin is there.">
      {plugins.map(({ id, version, state, problem }) => (
        <li key={id}>
          <State state={state} /> <b>{id}</b> <span class="quiet">{version}</span>
          <Problem text={problem} state={state} />
        </li>
      ))}
    </Part>
  );
}
