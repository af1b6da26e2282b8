import { basename, join } from 'node:path';
import type { Logger } from './api/log.ts';
import { configFiles } from './core/files/config-files.ts';
import { isDraft } from './core/files/draft.ts';
import { isWithin } from './core/files/paths.ts';
import { watchTree } from './core/files/watch.ts';
import { watchAdvice } from './core/platform/watching.ts';

/** Handlers for changes, by what changed. Each keeps the last valid state when the new one is broken. */
export interface Owners {
  readonly config: () => Promise<void>;
  /** `paths` are absolute, all below `<home>/spaces`. */
  readonly spaces: (paths: readonly string[]) => Promise<void>;
  /** `paths` are absolute, all below `<home>/plugins`. */
  readonly plugins: (paths: readonly string[]) => Promise<void>;
  /** data/state.json: another process asked for something. */
  readonly state: () => Promise<void>;
  /** Another process may have logged in to a server. */
  readonly logins: () => void;
  /** The user's state of this home: another process approved or revoked something. */
  readonly approved: () => Promise<void>;
}

export interface WatchedFolders {
  readonly home: string;
  /** Its user's state, with the copies of what hosts share. */
  readonly userState: string;
  /** Stored logins, in either of them. */
  readonly logins: string;
}

/** Every batch of changes goes to the owners of what changed. */
export function watchHome(
  { home, userState, logins }: WatchedFolders,
  owners: Owners,
  log: Logger,
): Disposable {
  const spaces = join(home, 'spaces');
  const plugins = join(home, 'plugins');
  const state = join(home, 'data', 'state.json');
  const config = [home, ...configFiles.map((name) => join(home, name))];
  const isConfig = (path: string): boolean => config.includes(path);
  const concernsLogins = (paths: readonly string[]): boolean =>
    paths.some((path) => isWithin(logins, path) || isWithin(path, logins));
  const report =
    (what: string) =>
    (cause: unknown): void =>
      log.error(`applying a change of ${what} failed`, { cause });

  const watched = new DisposableStack();
  const onError = (cause: unknown, path: string): void => {
    const advice = watchAdvice(cause);
    log.warn(`${path} is not watched${advice === undefined ? '' : `. ${advice}`}`, { cause });
  };
  watched.use(
    watchTree(
      home,
      (paths) => {
        const inSpaces = paths.filter((path) => isWithin(spaces, path) || isWithin(path, spaces));
        if (paths.some(isConfig)) owners.config().catch(report('the configuration'));
        if (inSpaces.length > 0) owners.spaces(inSpaces).catch(report('a space'));
        // A space's TypeScript tools are code, like plugins.
        const inPlugins = [
          ...paths.filter((path) => isWithin(plugins, path) || isWithin(path, plugins)),
          ...inSpaces.filter((path) => !/\.(md|ya?ml|json)$/.test(path)),
        ];
        if (inPlugins.length > 0) owners.plugins(inPlugins).catch(report('a plugin'));
        if (paths.some((path) => isWithin(path, state))) owners.state().catch(report('the state'));
        if (concernsLogins(paths)) owners.logins();
      },
      { onError },
    ),
  );
  const onUserState = (paths: readonly string[]): void => {
    owners.approved().catch(report('what was approved'));
    if (concernsLogins(paths)) owners.logins();
  };
  watched.use(watchTree(userState, onUserState, { onError, ignored: isUnfinished }));
  return watched;
}

/** Files that are being written, and lock files. */
const isUnfinished = (path: string): boolean => path.endsWith('.lock') || isDraft(basename(path));
