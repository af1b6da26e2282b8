import { addServers, findImportable } from 'pegboard/kit';
import { attempt, type SetupPlace, showDiagnostics, type StepEnd } from 'pegboard/terminal';
import { selectServers, showImported } from '../servers/choose.ts';
import { showTargets } from '../servers/show-targets.ts';
import { applyImport } from './apply-import.ts';
import { askWhatToImport } from './ask.ts';
import { findForeignHomes, readForeignHome } from './find-home.ts';
import type { ForeignHome } from './foreign-home.ts';
import { showImport } from './show-import.ts';

/** Imports from other assistants and MCP clients on this machine. */
export async function setUpImport(place: SetupPlace): Promise<StepEnd> {
  const { options, asks, host } = place;
  const given = options.values('import');
  if (given.length > 0) return await importGiven(given, place);
  if (!asks) return 'skipped';
  let end: StepEnd = 'skipped';
  for (const found of findForeignHomes(host.surroundings)) {
    const wanted = await askWhatToImport(found, { people: false, servers: false }, place);
    if (place.signal.aborted) return end;
    if (!wanted) continue;
    await importHome(found, wanted, place);
    end = 'done';
  }
  return (await importFromClients(place, 'selected')) ? 'done' : end;
}

/** Each of them, also where another one can't be imported. */
async function importGiven(given: readonly string[], place: SetupPlace): Promise<StepEnd> {
  let end: StepEnd = 'done';
  for (const source of given) {
    const run = async (): Promise<StepEnd> => {
      if (source === 'clients') await importFromClients(place, 'all');
      else
        await importHome(
          readForeignHome(source, undefined, place.host.surroundings),
          { people: false, servers: false },
          place,
        );
      return 'done';
    };
    if ((await attempt(place, { name: `import ${source}`, run })) === 'failed') end = 'failed';
  }
  return end;
}

async function importHome(
  found: ForeignHome,
  wanted: { readonly people: boolean; readonly servers: boolean },
  place: SetupPlace,
): Promise<void> {
  const { host, signal } = place;
  const report = await applyImport(host.home, found, {
    dryRun: false,
    surroundings: host.surroundings,
    isFresh: false,
    signal,
    ...wanted,
    openHost: () => Promise.resolve(host),
  });
  showImport(report, found, place);
}

/** Whether any server was imported. */
async function importFromClients(place: SetupPlace, which: 'all' | 'selected'): Promise<boolean> {
  const { found, diagnostics } = await findImportable(place.host.home, place.host.surroundings);
  showDiagnostics(place.terminal.err, diagnostics, place.host.home);
  const offered = found.filter(({ skipped }) => skipped === undefined);
  if (offered.length === 0) {
    if (which === 'all')
      place.terminal.err.line('No other client has MCP servers that are not here already.');
    return false;
  }
  showTargets(
    place.terminal.err,
    offered.map(({ as, config }) => ({ name: as, config })),
  );
  const message = 'Which MCP servers of other clients shall it use? (Space selects)';
  const chosen = which === 'all' ? offered : await selectServers(offered, message, place);
  if (chosen.length === 0) return false;
  const { host, terminal } = place;
  const imported = await addServers(chosen, { home: host.home, openHost: () => Promise.resolve(host) });
  showImported(imported, terminal);
  return true;
}
