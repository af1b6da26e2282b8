import { join } from 'node:path';
import type { Workplace } from './api/known-folders.ts';
import { realPathOf } from './core/files/paths.ts';
import { findProject, projectHomeName } from './core/files/project.ts';
import { isTrustedProject } from './store/owner/known-projects.ts';

/** Where the person at the terminal stands, seen from a known home. Undefined when the folder was deleted. */
export function workplaceAt(home: string, cwd: () => string = () => process.cwd()): Workplace | undefined {
  const folder = standingIn(cwd);
  if (folder === undefined) return undefined;
  const realHome = realPathOf(home);
  const root = findProject(folder, realHome);
  if (root === undefined) return { folder };
  // Whoever lets a project's own home run trusts the project.
  const isTrusted = realHome === join(root, projectHomeName) || isTrustedProject(root);
  return { folder, project: { root, isTrusted } };
}

function standingIn(cwd: () => string): string | undefined {
  try {
    return realPathOf(cwd());
  } catch {
    return undefined;
  }
}
