import { readdirSync } from 'node:fs';
import type { Host } from '../../../host.ts';
import { hashCode } from '../../../plugins/folder-hash.ts';
import type { Context } from '../command.ts';
import { findPlugin } from '../find-plugin.ts';
import { oneLine } from '../terminal/safe.ts';
import { confirm } from './confirm.ts';
import { ordersInFolder } from './orders-in-folder.ts';

/** Full trust, for exactly the files that are there now. */
export async function trustPlugin(host: Host, name: string, context: Context): Promise<void> {
  const { terminal } = context;
  const manifest = findPlugin(host, name);
  const { id, folder, builtin } = manifest;
  if (builtin) return terminal.out.line(`${id} comes with Pegboard and is trusted.`);
  const hash = hashCode(manifest);
  if (host.trust.isTrusted(id, hash)) return terminal.out.line(`${id} is trusted as it is.`);
  for (const order of ordersInFolder(folder))
    terminal.err.line(terminal.err.style.warning(`Careful: ${oneLine(order)}`));
  const detail = `${folder}\n${readdirSync(folder).join('  ')}\nsha256 ${hash}`;
  await confirm({ message: `Run the code of ${id} with all your rights?`, detail }, context);
  await host.trust.trust(id, hash);
  terminal.out.line(`${id} is trusted until one of its files changes.`);
}
