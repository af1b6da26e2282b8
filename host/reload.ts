import { join } from 'node:path';
import type { Logger } from './api/log.ts';
import { isWithin } from './core/paths.ts';
import { watchTree } from './core/watch.ts';
import { configFile } from './home.ts';

/** Who takes over a change of what. Each keeps what was good when the new is broken. */
export interface Owners {
  readonly config: () => Promise<void>;
  /** `paths` are absolute, all below `<home>/spaces`. */
  readonly spaces: (paths: readonly string[]) => Promise<void>;
}

/** Watches the home; every batch of changes goes to those that own what changed. */
export function watchHome(home: string, owners: Owners, log: Logger): Disposable {
  const spaces = join(home, 'spaces');
  const isConfig = (path: string): boolean =>
    path === home || path === join(home, configFile) || path === join(home, '.mcp.json');
  const report =
    (what: string) =>
    (cause: unknown): void =>
      log.error(`taking over a change of ${what} failed`, { cause });

  return watchTree(
    home,
    (paths) => {
      const inSpaces = paths.filter((path) => isWithin(spaces, path) || isWithin(path, spaces));
      if (paths.some(isConfig)) owners.config().catch(report('the configuration'));
      if (inSpaces.length > 0) owners.spaces(inSpaces).catch(report('a space'));
    },
    { onError: (cause, path) => log.warn(`${path} is not watched`, { cause }) },
  );
}
