import { PegboardError } from '../../core/errors.ts';
import type { Context } from '../command.ts';
import { oneLine } from '../terminal/safe.ts';
import { showForm } from '../terminal/show-form.ts';
import type { ImportOptions } from './report.ts';
import type { ForeignHome } from './foreign-home.ts';

type Wanted = Pick<ImportOptions, 'people' | 'servers'>;

/** Undefined: nothing is to be imported. What `given` says is not asked again. */
export async function askWhatToImport(
  found: ForeignHome,
  given: Wanted,
  place: Pick<Context, 'terminal' | 'signal' | 'options'>,
): Promise<Wanted | undefined> {
  const { terminal, options } = place;
  if (!terminal.interactive || options.flag('json'))
    throw new PegboardError(
      'PEG_USAGE',
      'Nobody can be asked here: pass --yes to import, or --dry-run to see what would be done. Nothing was changed.',
    );
  const { program, folder, files, memories, schedules, people, servers, space } = found;
  const agree = async (message: string): Promise<boolean> => {
    const answer = await showForm(place, ({ confirm }, streams) =>
      confirm({ ...streams, message: oneLine(message), initialValue: false }),
    );
    return answer === true;
  };
  terminal.err.line(
    `${program} in ${oneLine(folder)}: ${files.length} files for the space ${space}, ${memories.length} memories, ${schedules.length} schedules`,
  );
  if (!(await agree('Import them?'))) return undefined;
  const ids = [...new Set(people.map(({ id }) => id))];
  const names = servers.map(({ name, config }) => `${name} (${config.url ?? config.command})`);
  return {
    people: given.people || (ids.length > 0 && (await agree(`May these talk to the bot? ${ids.join(', ')}`))),
    servers:
      given.servers || (names.length > 0 && (await agree(`Connect these servers? ${names.join(', ')}`))),
  };
}
