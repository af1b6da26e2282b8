import { join } from 'node:path';
import type { Workplace } from './api/known-folders.ts';
import type { Surroundings } from './api/surroundings.ts';
import { realPathOf } from './core/files/paths.ts';
import { findProject, projectHomeName } from './core/files/project.ts';
import { isTrustedProject } from './store/owner/known-projects.ts';

/** Where the person at the terminal stands, seen from a known home. Undefined when the folder was deleted. */
export function workplaceAt(home: string, surroundings: Omit<Surroundings, 'clock'>): Workplace | undefined {
  const folder = standingIn(surroundings);
  if (folder === undefined) return undefined;
  const realHome = realPathOf(home);
  const root = findProject(folder, realHome, surroundings);
  if (root === undefined) return { folder };
  // Whoever lets a project's own home run trusts the project.
  const isTrusted = realHome === join(root, projectHomeName) || isTrustedProject(root, surroundings);
  return { folder, project: { root, isTrusted } };
}

function standingIn({ cwd }: Pick<Surroundings, 'cwd'>): string | undefined {
  try {
    return realPathOf(cwd());
  } catch {
    return undefined;
  }
}
