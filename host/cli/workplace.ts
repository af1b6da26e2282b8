import type { Workplace } from '../api/known-folders.ts';
import type { Host } from '../host.ts';
import { workplaceAt } from '../workplace.ts';

/** For a call or a message: where the person stands now. Empty in a folder that was deleted. */
export function atWorkplace({ home, surroundings }: Pick<Host, 'home' | 'surroundings'>): {
  readonly workplace?: Workplace;
} {
  const workplace = workplaceAt(home, surroundings);
  return workplace ? { workplace } : {};
}
