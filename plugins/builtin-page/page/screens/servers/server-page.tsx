import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ServerDetails } from '../../../servers/wire.ts';
import { reading } from '../../live/reading.ts';
import { refreshing } from '../../live/refreshing.ts';
import { Back } from '../../parts/back.tsx';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { Words } from '../../parts/words.tsx';
import { toolPath } from '../../router.ts';
import { PendingCard } from '../approvals/pending-card.tsx';
import { Actions } from './actions.tsx';
import { Entry } from './entry.tsx';
import { Log } from './log.tsx';
import { countsOf, meaningOf, State } from './state.tsx';

/** One server: whether it works and why not, its tools, and its log. */
export function ServerPage({ name }: { readonly name: string }) {
  const server = useMemo(() => reading<ServerDetails>(`server/${encodeURIComponent(name)}`), []);
  useEffect(() => refreshing(server), []);
  const details = server.value.value;
  return (
    <>
      <Back title="Servers" to="/servers">
        All servers
      </Back>
      {server.problem.value !== undefined && (
        <Broken
          what={`${name} could not be read.`}
          why={server.problem.value}
          again={() => void server.read()}
        />
      )}
      {details && <Server details={details} onChange={() => void server.read()} />}
    </>
  );
}

interface Props {
  readonly details: ServerDetails;
  readonly onChange: () => void;
}

function Server({ details, onChange }: Props) {
  const { name, state, problem, warnings, instructions } = details;
  return (
    <article aria-label={name}>
      <header class="lead">
        <h2>
          <HiddenText text={name} />
        </h2>
        <p class="row tags">
          <State state={state} />
          <span class="tag">{details.transport}</span>
          <span class="tag">{countsOf(details)}</span>
        </p>
        <p>{meaningOf(details)}</p>
      </header>
      {problem !== undefined && (
        <div class={state === 'failed' ? 'sheet bad' : 'sheet warn'}>
          <Words text={problem} />
        </div>
      )}
      {warnings.length > 0 && (
        <ul class="notes warn">
          {warnings.map((warning) => (
            <li>
              <HiddenText text={warning} />
            </li>
          ))}
        </ul>
      )}
      <Actions details={details} onChange={onChange} />
      <HeldBack details={details} onChange={onChange} />
      <Offered details={details} />
      {instructions !== undefined && (
        <section class="sheet" aria-labelledby="instructions">
          <h3 id="instructions">What it tells models about itself</h3>
          <LongText text={instructions} label="Its instructions" />
        </section>
      )}
      <Entry details={details} />
      <Log name={name} />
    </article>
  );
}

function HeldBack({ details: { pending, heldBack }, onChange }: Props) {
  const accepted = useSignal('');
  const problem = useSignal('');
  if (!pending && accepted.value === '') return null;
  const changed = heldBack.filter(({ isChanged }) => isChanged).length;
  return (
    <section aria-labelledby="held">
      <h3 id="held">Held back</h3>
      {pending && (
        <>
          <p class="quiet">
            {changed === heldBack.length
              ? 'Not what you have approved.'
              : changed === 0
                ? 'New since you have connected it.'
                : `New since you have connected it, ${changed} of them changed since you have approved them.`}{' '}
            Nothing of it is used before you accept it.
          </p>
          <PendingCard
            key={pending.shown}
            pending={pending}
            problem={problem.value}
            onAccepted={(message) => {
              accepted.value = message;
              problem.value = '';
              onChange();
            }}
            onFailed={(message) => {
              problem.value = message;
              onChange();
            }}
          />
        </>
      )}
      {accepted.value !== '' && (
        <p class="sheet good accepted" role="status" tabIndex={-1}>
          <HiddenText text={accepted.value} />
        </p>
      )}
    </section>
  );
}

/** Tools that are shown at first. */
const shownFirst = 30;

function Offered({ details: { offered } }: Pick<Props, 'details'>) {
  const isWhole = useSignal(false);
  if (offered.length === 0) return null;
  const shown = isWhole.value ? offered : offered.slice(0, shownFirst);
  return (
    <section class="sheet" aria-labelledby="offered">
      <h3 id="offered">
        {offered.length === 1 ? 'Its tool' : `Its ${offered.length.toLocaleString()} tools`}
      </h3>
      <ul class="rows">
        {shown.map(({ id, summary }) => (
          <li key={id}>
            <a class="mono" href={toolPath(id)}>
              {id}
            </a>
            <p class="quiet line">
              <HiddenText text={summary || 'No description'} />
            </p>
          </li>
        ))}
      </ul>
      {shown.length < offered.length && (
        <button type="button" class="small" onClick={() => (isWhole.value = true)}>
          Show all
        </button>
      )}
    </section>
  );
}
