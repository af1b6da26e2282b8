import { useEffect } from 'preact/hooks';
import type { AgentRow } from '../../../agents/wire.ts';
import { reading } from '../../live/reading.ts';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Offline } from '../../parts/offline.tsx';
import { agentPath, path } from '../../router.ts';
import { AgentPage } from './agent-page.tsx';

const agents = reading<{ readonly agents: readonly AgentRow[] }>('agents');

/** Who may what, and what is each model shown? */
export function AgentsScreen() {
  const chosen = path.value[1] ?? '';
  useEffect(() => agents.follow(), []);
  const rows = agents.value.value?.agents;
  return (
    <div class={chosen === '' ? 'split' : 'split chosen'}>
      <div class="side">
        <div class="row">
          <h1>Agents</h1>
        </div>
        {!rows && <Offline knowsNothing />}
        {agents.problem.value !== undefined && !rows && (
          <Broken
            what="The agents could not be read."
            why={agents.problem.value}
            again={() => void agents.read()}
          />
        )}
        {rows?.length === 0 && (
          <p class="quiet empty">
            No agent: the file of the one that answers is broken. Home says what to mend.
          </p>
        )}
        <Agents rows={rows ?? []} chosen={chosen} />
      </div>
      <div key={chosen} class="detail scroll">
        {rows && <Offline />}
        {chosen === '' ? (
          <p class="quiet hello">Choose an agent to see what it may do, and what its model is sent.</p>
        ) : (
          <AgentPage id={chosen} />
        )}
      </div>
    </div>
  );
}

function Agents({ rows, chosen }: { readonly rows: readonly AgentRow[]; readonly chosen: string }) {
  return (
    <ul class="entries list">
      {rows.map(({ id, name, isDefault, tools, model }) => (
        <li key={id}>
          <a class="item" href={agentPath(id)} aria-current={id === chosen ? 'page' : undefined}>
            <span class="first">
              <b>
                <HiddenText text={name} />
              </b>
              {isDefault && <small class="tag">default</small>}
            </span>
            <span class="second">
              {id} · {tools.toLocaleString()} tools ·{' '}
              {model === null ? 'no model' : <HiddenText text={model} />}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
