import type { Meter } from '@opentelemetry/api';
import type { EngineStatus } from 'pegboard';

/** Undefined: this process is no host, or has stopped. */
export type ReadEngineStatus = () => Promise<EngineStatus | undefined>;

/** Measures before each export what waits in the queues, and how many hosts are there to work on it. */
export function followQueues(meter: Meter, read: ReadEngineStatus): Disposable {
  const waiting = meter.createObservableGauge('pegboard.queue.waiting', {
    unit: '{job}',
    description: 'Jobs that could begin.',
  });
  const oldest = meter.createObservableGauge('pegboard.queue.oldest', {
    unit: 's',
    description: 'How long the oldest job that could begin has waited.',
  });
  const hosts = meter.createObservableGauge('pegboard.hosts', {
    unit: '{host}',
    description: 'Hosts that are live.',
  });
  const all = [waiting, oldest, hosts];
  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    // While the database can't be read, nothing is known.
    const status = await read().catch(() => undefined);
    if (!status) return;
    result.observe(hosts, status.hosts.filter(({ isLive }) => isLive).length);
    for (const { name, waiting: added, later, oldestSeconds } of status.queues) {
      const attributes = { 'pegboard.queue': name };
      result.observe(waiting, added - later, attributes);
      result.observe(oldest, oldestSeconds, attributes);
    }
  };
  meter.addBatchObservableCallback(observe, all);
  return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, all) };
}
