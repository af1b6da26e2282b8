import { useEffect } from 'preact/hooks';
import type { HomeStatus, PendingRow } from '../../../wire.ts';
import { connected, questions } from '../../live/live.ts';
import { reading } from '../../live/reading.ts';
import { Broken } from '../../parts/broken.tsx';
import { askerName } from '../../parts/asker.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Offline } from '../../parts/offline.tsx';
import { Diagnostics } from './diagnostics.tsx';
import { Hosts } from './hosts.tsx';
import { Model, Plugins, Reports, Servers, Spaces } from './parts.tsx';

/** Milliseconds between two looks at what has no event: services, servers. */
const refreshMs = 15_000;

const home = reading<HomeStatus>('home');

/** Is all well, and what wants me? */
export function HomeScreen() {
  useEffect(() => {
    const stop = home.follow();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void home.read();
    }, refreshMs);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
  const status = home.value.value;
  // Questions come on the stream: shown later, they would push away what is read already.
  const isKnown = questions.value !== undefined || connected.value === false;
  if (!status || !isKnown) {
    return (
      <div class="scroll">
        <h1>Home</h1>
        <Offline knowsNothing />
        {connected.value === false ? null : home.problem.value === undefined ? (
          <p class="quiet">Loading…</p>
        ) : (
          <Broken
            what="The state of the home could not be read."
            why={home.problem.value}
            again={() => void home.read()}
          />
        )}
      </div>
    );
  }
  return (
    <div class="scroll">
      <header class="lead">
        <h1>{sentenceOf(status, questions.value?.length ?? 0)}</h1>
        <p class="quiet">
          <span class="mono">{status.home}</span> · Pegboard {status.version} ·{' '}
          <a href="/tools">{status.tools.toLocaleString()} tools</a>
        </p>
      </header>
      <Offline />
      <Waiting pending={status.pendingApprovals} />
      <Hosts />
      <Diagnostics status={status} />
      <div class="columns">
        <Model status={status} />
        <Servers status={status} />
        <Reports status={status} />
        <Spaces status={status} />
        <Plugins status={status} />
      </div>
    </div>
  );
}

/** One sentence that answers both questions. */
function sentenceOf(status: HomeStatus, asked: number): string {
  const waiting = asked + status.pendingApprovals;
  const waits =
    waiting === 0 ? '' : waiting === 1 ? '1 thing waits for you' : `${waiting} things wait for you`;
  const broken = brokenIn(status);
  const breaks =
    broken === 0 ? '' : broken === 1 ? '1 thing is broken' : `${broken.toLocaleString()} things are broken`;
  if (waits && breaks) return `${waits}, and ${breaks}.`;
  return waits || breaks ? `${waits || breaks}.` : 'Nothing waits for you, and everything runs.';
}

/** A server or plugin that failed usually has a diagnostic too, so the larger of both numbers counts. */
function brokenIn({ diagnostics, servers, plugins, reports }: HomeStatus): number {
  const failed = [...servers, ...plugins].filter(({ state }) => state === 'failed').length;
  const services = reports.filter(({ status }) => status === 'failed').length;
  return Math.max(diagnostics.errors, failed) + services;
}

/** Characters of what exactly would run: enough to tell one question from another. */
const maxDetail = 120;

/** What only a person can decide. */
function Waiting({ pending }: { readonly pending: PendingRow[]['length'] }) {
  const open = questions.value ?? [];
  if (open.length === 0 && pending === 0) return null;
  return (
    <section class="sheet ask" aria-labelledby="waiting">
      <h2 id="waiting">Waiting for you</h2>
      <ul class="rows">
        {open.slice(0, 5).map(({ id, message, detail, asker }) => (
          <li key={id}>
            <a href="/approvals">
              <HiddenText text={message} />
            </a>
            <span class="quiet"> asked by {askerName(asker)}</span>
            {detail !== '' && (
              <p class="quiet mono line">
                <HiddenText text={detail.split('\n', 1)[0]!.slice(0, maxDetail)} />
              </p>
            )}
          </li>
        ))}
        {open.length > 5 && (
          <li>
            <a href="/approvals">and {open.length - 5} more questions</a>
          </li>
        )}
        {pending > 0 && (
          <li>
            <a href="/approvals">
              {pending === 1 ? '1 new or changed thing' : `${pending} new or changed things`} to look at
            </a>
            <span class="quiet"> not used before you accept</span>
          </li>
        )}
      </ul>
    </section>
  );
}
