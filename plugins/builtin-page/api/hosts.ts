import type { Host } from 'pegboard/embed';
import type { HostsView } from '../wire.ts';
import type { ApiHandlers } from './handler.ts';

/** Seconds after which what waits has waited for long. */
const longSeconds = 60;

/** The hosts of the home, where there is something to see: several of them, or work that nobody does. */
export function hostHandlers({ hosts: home }: Host): ApiHandlers {
  return {
    'GET hosts': async (): Promise<HostsView> => {
      const { hosts, queues: all } = await home.status();
      const live = hosts.filter(({ isLive }) => isLive);
      const queues = all
        .map(({ name, waiting, later, running, dead, oldestSeconds }) => {
          const isLate = waiting > later && oldestSeconds > longSeconds;
          return { name, waiting: waiting - later, running, dead, oldestMs: oldestSeconds * 1000, isLate };
        })
        .filter(({ waiting, running, dead }) => waiting + running + dead > 0);
      return {
        isWorthShowing: live.length > 1 || queues.some(({ isLate }) => isLate),
        hosts: hosts.map(({ id, isLive, isThisOne, seenAt, roles }) => {
          return { id, isLive, isThisOne, seenAt, roles };
        }),
        queues,
        haveSameFiles: new Set(live.flatMap(({ files }) => files ?? [])).size < 2,
      };
    },
  };
}
