import { PegboardError } from '../core/errors.ts';
import { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
import { nearest } from '../core/documents/nearest.ts';
import type { Space, SpaceAgent } from './space.ts';

/** The space whose agent is the default. */
export const defaultSpace = 'personal';

/** Finds an agent by its id, or by the part after the space when that is unique. */
export function findAgent(agents: readonly SpaceAgent[], name: string): SpaceAgent | undefined {
  const exact = agents.find(({ agent }) => agent.id === name);
  if (exact) return exact;
  const called = agents.filter(({ agent }) => agent.id.endsWith(`/${name}`));
  return called.length === 1 ? called[0] : undefined;
}

/** PEG_USAGE with a similar name, the known names, or the file that keeps the agent out of service. */
export function noSuchAgent(
  name: string,
  agents: readonly SpaceAgent[],
  spaces: readonly Space[],
): PegboardError {
  const ids = agents.map(({ agent }) => agent.id);
  const broken = spaces.find(({ id, agents: own }) => id === name.split('/')[0] && own.length === 0);
  const reason =
    broken?.diagnostics.find(({ severity }) => severity === 'error') ??
    (broken?.pending && broken.diagnostics[0]);
  if (reason)
    return new PegboardError(
      'PEG_USAGE',
      `The agent ${name} is not in service: ${describeDiagnostic(reason)}`,
    );
  const byEnd = new Map(ids.map((id) => [id.split('/').at(-1)!, id]));
  const [end = ''] = nearest(name, byEnd.keys());
  const near = nearest(name, ids)[0] ?? byEnd.get(end);
  const hint =
    near !== undefined ? ` Did you mean "${near}"?` : ids.length > 0 ? ` There are: ${ids.join(', ')}.` : '';
  return new PegboardError('PEG_USAGE', `There is no agent "${name}".${hint}`);
}
