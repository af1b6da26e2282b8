import { readdirSync } from 'node:fs';
import { PegboardError } from '../../../../core/errors.ts';
import { hashCode } from '../../../../plugins/folder-hash.ts';
import type { Run } from '../../command.ts';
import { findPlugin } from '../../find-plugin.ts';
import { ordersInFolder } from '../../orders-in-folder.ts';
import { createAsk } from '../../terminal/ask.ts';
import { oneLine } from '../../terminal/safe.ts';

/** Full trust, for exactly the files that are there now. */
export const run: Run = async (context) => {
  const { terminal, words, options, signal } = context;
  const host = await context.openHost({ mcp: 'off' });
  const manifest = findPlugin(host, words[0]!);
  const { id, folder, builtin } = manifest;
  if (builtin) return terminal.out.line(`${id} comes with Pegboard and is trusted.`);
  const hash = hashCode(manifest);
  if (host.trust.isTrusted(id, hash)) return terminal.out.line(`${id} is trusted as it is.`);
  for (const order of ordersInFolder(folder))
    terminal.err.line(terminal.err.style.warning(`Careful: ${oneLine(order)}`));
  if (!options.flag('yes')) {
    const ask = createAsk(terminal);
    if (!ask) {
      throw new PegboardError(
        'PEG_NOBODY_TO_ASK',
        `Read ${folder} first, then trust it with \`pegboard plugins trust ${id} --yes\`.`,
      );
    }
    const answer = await ask(
      {
        message: `Run the code of ${id} with all your rights?`,
        detail: `${folder}\n${readdirSync(folder).join('  ')}\nsha256 ${hash}`,
      },
      signal,
    );
    if (answer.action !== 'accept') return 3;
  }
  await host.trust.trust(id, hash);
  terminal.out.line(`${id} is trusted until one of its files changes.`);
};
