import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SelfConfig } from './config.ts';

/** Succeeds when the address answers with a 2xx. */
const ask = 'fetch(process.argv[1]).then((r) => process.exit(r.ok ? 0 : (console.log(r.status), 1)))';

/**
 * The command that says whether the host is well: what the settings say, else the health route where the host in
 * service has one, else whether its service runs.
 */
export function healthCommand({ health, service }: SelfConfig, home: string): readonly string[] {
  const wanted = health ?? routeInService(home) ?? ['systemctl', 'is-active', '--quiet', service];
  return typeof wanted === 'string' ? [process.execPath, '-e', ask, wanted] : wanted;
}

/** A host that serves HTTP says in its lock where it can be asked. */
function routeInService(home: string): string | undefined {
  try {
    const { health } = JSON.parse(readFileSync(join(home, 'data/host.lock'), 'utf8')) as { health?: string };
    return health;
  } catch {
    return undefined;
  }
}
