import { messageOf, PegboardError } from '../../../core/errors.ts';
import type { Host } from '../../../host.ts';
import { parseSource } from '../../../plugins/elsewhere/source.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { checkFree, findAdded, isFromElsewhere, stage, type AddedPlugin } from '../../plugins/elsewhere.ts';
import { updateTo, type UpdatedPlugin } from '../../plugins/update-plugin.ts';
import { oneLine } from '../../terminal/safe.ts';

/** Updates the named plugins, or all that came from elsewhere. One that fails doesn't keep the others from it. */
export const run: CommandHandler = async (context) => {
  const { words, terminal, options } = context;
  const { out, err } = terminal;
  const host = await context.openHost({ mcp: 'off' });
  const names = words.length > 0 ? words : allAdded(host);
  const results: (UpdatedPlugin | Failed)[] = [];
  for (const name of names) {
    try {
      results.push(await update(findAdded(host, name), host, context));
    } catch (cause) {
      const ends =
        cause instanceof PegboardError && ['PEG_NOBODY_TO_ASK', 'PEG_CANCELLED'].includes(cause.code);
      if (names.length === 1 || ends) throw cause;
      results.push({ id: name, status: 'failed', problem: messageOf(cause) });
      err.line(`${err.style.bad('failed:')} ${name}: ${oneLine(messageOf(cause))}`);
    }
  }
  if (options.flag('json')) terminal.json({ plugins: results });
  else if (names.length === 0) out.line('No plugin was added from elsewhere.');
  return results.some(({ status }) => status === 'failed') ? 1 : 0;
};

interface Failed {
  readonly id: string;
  readonly status: 'failed';
  readonly problem: string;
}

const allAdded = (host: Host): readonly string[] =>
  host.plugins.states
    .filter(({ manifest: { builtin, folder, dynamic } }) => !builtin && !dynamic && isFromElsewhere(folder))
    .map(({ manifest }) => manifest.id);

async function update(added: AddedPlugin, host: Host, context: Context): Promise<UpdatedPlugin> {
  using staged = await stage(parseSource(added.lock.source, host.home), context);
  checkFree(staged, host);
  return await updateTo(staged, added, host, context);
}
