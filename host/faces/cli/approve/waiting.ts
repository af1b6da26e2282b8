import type { Host } from '../../../host.ts';
import { resemblance } from '../../../tools/look-alikes.ts';

/** Something that is held back until the owner has looked at it. */
export interface Waiting {
  readonly kind: 'server' | 'plugin' | 'space';
  /** What `pegboard approvals accept` takes. */
  readonly id: string;
  /** In words, one for each tool of a server. */
  readonly what: string;
}

export function waitingIn(host: Host): readonly Waiting[] {
  const tools = host.servers.all.flatMap((server) => {
    const { name, quarantined } = server.status();
    return quarantined.map((tool): Waiting => {
      const resembling = resemblance(tool, name, host.registry.snapshot);
      const careful = resembling === undefined ? '' : ` (careful: ${resembling})`;
      return { kind: 'server', id: name, what: `${name}.${tool}${careful}` };
    });
  });
  const held = host.spaces.all.filter((space) => space.held);
  const spaces = held.map(({ id, held: what }): Waiting => {
    const files = what!.known ? `${what!.changes.length} changed` : 'new';
    return { kind: 'space', id: `spaces/${id}`, what: `space ${id} (${files})` };
  });
  const plugins = host.plugins.states
    .filter(({ state }) => state === 'untrusted')
    // Accepted with its space.
    .filter(({ manifest: { dynamic } }) => !held.some(({ id }) => id === dynamic?.space))
    .map(({ manifest: { id } }): Waiting => ({ kind: 'plugin', id, what: `plugin ${id}` }));
  return [...tools, ...spaces, ...plugins];
}

/** How it is looked at. */
export const acceptCommand = ({ id }: Waiting): string => `pegboard approvals accept ${id}`;
