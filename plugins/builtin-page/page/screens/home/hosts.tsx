import { useEffect } from 'preact/hooks';
import type { HostsView } from '../../../wire.ts';
import { connected } from '../../live/live.ts';
import { reading } from '../../live/reading.ts';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { duration, shortTime } from '../../parts/time.ts';

/** Milliseconds between two looks. */
const refreshMs = 15_000;

const hosts = reading<HostsView>('hosts');

/** Which processes work, and what waits for them: shown where there are several, or where something waits for long. */
export function Hosts() {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void hosts.read();
    };
    look();
    const timer = setInterval(look, refreshMs);
    return () => clearInterval(timer);
  }, []);
  const view = hosts.value.value;
  // Without the host, nothing else is known either.
  if (hosts.problem.value !== undefined && connected.value !== false)
    return (
      <Broken
        what="The hosts could not be listed."
        why={hosts.problem.value}
        again={() => void hosts.read()}
      />
    );
  if (!view?.isWorthShowing) return null;
  return (
    <section class="sheet" aria-labelledby="hosts">
      <h2 id="hosts">Hosts</h2>
      {!view.haveSameFiles && (
        <p class="warn">
          The files of these hosts differ: what a message does depends on the host that takes it.
        </p>
      )}
      <ul class="rows">
        {view.hosts.map((host) => (
          <HostRow key={host.id} host={host} />
        ))}
        {view.queues.map((queue) => (
          <QueueRow key={queue.name} queue={queue} />
        ))}
      </ul>
    </section>
  );
}

function HostRow({
  host: { id, isLive, isThisOne, seenAt, roles },
}: {
  readonly host: HostsView['hosts'][number];
}) {
  return (
    <li>
      <span class={`state ${isLive ? 'good' : 'warn'}`}>{isLive ? 'live' : 'gone'}</span>{' '}
      <b>
        <HiddenText text={id} />
      </b>
      {isThisOne && <span class="quiet"> this one</span>}
      {!isLive && <span class="quiet"> last seen {shortTime(Date.parse(seenAt))}</span>}
      {roles.length > 0 && <p class="quiet">{roles.join(', ')}</p>}
    </li>
  );
}

function QueueRow({
  queue: { name, waiting, running, dead, oldestMs, isLate },
}: {
  readonly queue: HostsView['queues'][number];
}) {
  const counts = [
    waiting > 0 && `${waiting.toLocaleString()} waiting, the oldest for ${duration(oldestMs)}`,
    running > 0 && `${running.toLocaleString()} running`,
    dead > 0 && `${dead.toLocaleString()} failed for good`,
  ].filter((text) => text !== false);
  return (
    <li>
      <span class={`state ${isLate ? 'warn' : 'quiet'}`}>queue</span> <b>{name}</b>
      <p class={isLate ? 'warn' : 'quiet'}>{counts.join('; ')}</p>
    </li>
  );
}
