import { PegboardError } from 'pegboard';
import { plural } from 'pegboard/kit';
import { agree, type Context, oneLine } from 'pegboard/terminal';
import { showTargets } from '../servers/show-targets.ts';
import type { ImportOptions } from './report.ts';
import type { ForeignHome } from './foreign-home.ts';

type Wanted = Pick<ImportOptions, 'people' | 'servers'>;

/** Undefined: the person cancelled. */
type Agree = (message: string) => Promise<boolean | undefined>;

/** Undefined: nothing is to be imported, also when the person cancels a later question. What `given` says is not asked again. */
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
  const agreeTo: Agree = (message) => agree(message, place);
  terminal.err.line(
    `${program} in ${oneLine(folder)}: ${plural(files.length, 'file')} for the space ${space}, ${plural(memories.length, 'memory', 'memories')}, ${plural(schedules.length, 'schedule')}`,
  );
  if (!(await agreeTo('Import them?'))) return undefined;
  const ids = [...new Set(people.map(({ id }) => id))];
  const allowed =
    given.people || (ids.length > 0 && (await agreeTo(`May these talk to the bot? ${ids.join(', ')}`)));
  if (allowed === undefined) return undefined;
  const connected = given.servers || (servers.length > 0 && (await agreeToServers(found, agreeTo, terminal)));
  return connected === undefined ? undefined : { people: allowed, servers: connected };
}

/** Shows first what each would run, and which of the owner's variables it would get. */
async function agreeToServers(
  { servers }: ForeignHome,
  agreeTo: Agree,
  { err }: Context['terminal'],
): Promise<boolean | undefined> {
  showTargets(err, servers);
  return await agreeTo(servers.length === 1 ? 'Connect this server?' : 'Connect these servers?');
}
