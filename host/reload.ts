import { join } from 'node:path';
import { isWithin } from './core/paths.ts';
import { watchTree } from './core/watch.ts';
import { configFile } from './home.ts';
import type { Host } from './host.ts';

/** What in a home a changed path belongs to, and who takes the change over. */
type Owner = 'config' | 'spaces' | 'none';

/** Watches the home; every batch of changes goes to its owners, each of which keeps what was good when the new is broken. */
export async function watchHome(host: Host): Promise<Disposable> {
  const { home, log } = host;
  return watchTree(home, (paths) => {
    const owners = new Set(paths.map((path) => ownerOf(home, path)));
    const report = (what: string) => (cause: unknown) =>
      log.error(`taking over a change of ${what} failed`, { cause });
    if (owners.has('config')) host.reloadConfig().catch(report('the configuration'));
    if (owners.has('spaces')) host.spaces.changed(paths).catch(report('a space'));
  });
}

function ownerOf(home: string, path: string): Owner {
  if (path === home || path === join(home, configFile) || path === join(home, '.mcp.json')) return 'config';
  return isWithin(join(home, 'spaces'), path) ? 'spaces' : 'none';
}
