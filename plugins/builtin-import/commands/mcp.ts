import { PegboardError } from 'pegboard';
import { nearest } from 'pegboard/channels';
import type { Host } from 'pegboard/embed';
import { commandOf, shownConfig, transportOf } from 'pegboard/home';
import { addServers, diagnosticToJson, findImportable, type Importable } from 'pegboard/kit';
import { type CommandHandler, type Context, oneLine, renderTable, showDiagnostics } from 'pegboard/terminal';
import { selectServers, showImported } from '../servers/choose.ts';

export const run: CommandHandler = async (context) => {
  const { home, terminal, options } = context;
  const from = options.value('from');
  const { found, diagnostics } = await findImportable(home, context.surroundings, from);
  if (!options.flag('json')) {
    show(found, context);
    showDiagnostics(terminal.err, diagnostics, home);
  }
  const chosen = await choose(found, context);
  let host: Promise<Host> | undefined;
  const openHost = (): Promise<Host> => (host ??= context.openHost({ mcp: 'off' }));
  const imported = await addServers(chosen, { home, openHost });
  if (options.flag('json')) {
    terminal.json({
      found: found.map(({ as, name, client, path, config, skipped }) => ({
        as,
        name,
        client,
        path,
        transport: transportOf(config),
        ...(skipped !== undefined && { skipped }),
      })),
      imported: imported.map(({ name }) => name),
      secrets: imported.flatMap(({ secrets }) => secrets),
      diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, home)),
    });
  } else if (imported.length > 0) showImported(imported, terminal);
  // The one file that was named can't be read.
  return from !== undefined && found.length === 0 && diagnostics.length > 0 ? 1 : 0;
};

function show(found: readonly Importable[], { terminal, options }: Context): void {
  const { out, err } = terminal;
  const from = options.value('from');
  if (found.length === 0)
    return err.line(
      oneLine(
        from === undefined
          ? 'No other client on this machine has MCP servers configured.'
          : `There are no MCP servers in ${from}.`,
      ),
    );
  const columns = [
    { title: 'SERVER', paint: out.style.name },
    { title: 'FROM' },
    { title: '', paint: out.style.quiet },
    { title: 'IS', shrinks: true },
  ];
  const rows = found.map(({ as, client, skipped = '', config }) => [
    as,
    client,
    skipped,
    oneLine(commandOf(shownConfig(as, config))),
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
}

/** The named ones, all with --yes, else those that the user selects. */
async function choose(
  found: readonly Importable[],
  { words, options, terminal, signal }: Context,
): Promise<readonly Importable[]> {
  const offered = found.filter(({ skipped }) => skipped === undefined);
  if (words.length > 0) return words.map((word) => named(word, found));
  if (options.flag('yes')) return offered;
  if (offered.length === 0 || options.flag('json')) return [];
  if (!terminal.interactive) {
    terminal.err.line('Nothing was imported: name the servers, or pass --yes for all.');
    return [];
  }
  return await selectServers(offered, 'Which ones? (Space selects)', { terminal, signal });
}

function named(word: string, found: readonly Importable[]): Importable {
  const server = found.find(({ as, skipped }) => as === word && skipped === undefined);
  if (server) return server;
  const skipped = found.find(({ as }) => as === word)?.skipped;
  const [near] = nearest(
    word,
    found.map(({ as }) => as),
  );
  const why = skipped !== undefined ? `"${word}" ${skipped}.` : `No client has a server "${word}".`;
  throw new PegboardError(
    'PEG_USAGE',
    `${why}${near === undefined || near === word ? '' : ` Did you mean ${near}?`} Nothing was changed.`,
  );
}
