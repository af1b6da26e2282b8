import type { Workplace } from '../api/known-folders.ts';
import { workplaceAt } from '../workplace.ts';

/** For a call or a message: where the person stands now. Empty in a folder that was deleted. */
export function atWorkplace(home: string): { readonly workplace?: Workplace } {
  const workplace = workplaceAt(home);
  return workplace ? { workplace } : {};
}
