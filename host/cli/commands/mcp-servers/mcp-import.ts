import { join } from 'node:path';
import { loadConfig } from '../../../config.ts';
import { variableOf } from '../../../home-environment.ts';
import { PegboardError } from '../../../core/errors.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { transportOf, type McpServerConfig } from '../../../sources/mcp/config.ts';
import { defaultPlaces } from '../../../sources/mcp/import/client-files.ts';
import { findClientServers } from '../../../sources/mcp/import/import-clients.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { writeServer } from '../../servers/config-file.ts';
import { toImportable, type Importable } from '../../servers/importable.ts';
import { showDiagnostics } from '../../terminal/diagnostics.ts';
import { oneLine } from '../../terminal/safe.ts';
import { showForm } from '../../terminal/show-form.ts';
import { renderTable } from '../../terminal/table.ts';
import { diagnosticToJson } from '../../tools/tool-json.ts';
import { credentialsIn } from '../../../core/secrets/credentials.ts';

export const run: CommandHandler = async (context) => {
  const { home, terminal, options } = context;
  const { servers, diagnostics } = await findClientServers(defaultPlaces(), options.value('from'));
  const { config } = await loadConfig(home, variableOf(home));
  const configured = new Map([...config.servers].map(([name, entry]) => [name, entry.config]));
  // The home reads its own .mcp.json directly.
  const others = servers.filter(({ path }) => path !== join(home, '.mcp.json'));
  const found = toImportable(others, configured);
  if (!options.flag('json')) {
    show(found, context);
    showDiagnostics(terminal.err, diagnostics, home);
  }
  const chosen = await choose(found, context);
  for (const { as, config: entry } of chosen)
    await writeServer(home, as, { ...entry }, { replace: false, isSecret: hasLiteralSecret(entry) });
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
      imported: chosen.map(({ as }) => as),
      diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, home)),
    });
  } else if (chosen.length > 0) report(chosen, context);
};

function show(found: readonly Importable[], { terminal }: Context): void {
  const { out, err } = terminal;
  if (found.length === 0) return err.line('No other client on this machine has MCP servers configured.');
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
    oneLine(targetOf(config)),
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
  const picked = await showForm({ terminal, signal }, ({ multiselect }, streams) =>
    multiselect({
      ...streams,
      message: 'Which ones? (Space selects)',
      options: offered.map(({ as, client }) => ({ value: as, label: as, hint: client })),
      required: false,
    }),
  );
  return offered.filter(({ as }) => picked?.includes(as));
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

function report(chosen: readonly Importable[], { terminal, home }: Context): void {
  const { out, err } = terminal;
  out.line(`${out.style.good('imported:')} ${chosen.map(({ as }) => as).join(', ')}`);
  const withSecrets = chosen.filter(({ config }) => hasLiteralSecret(config));
  if (withSecrets.length > 0) {
    err.line(
      `${withSecrets.map(({ as }) => as).join(', ')}: variables, headers or secrets were copied as they are, and ${join(home, 'pegboard.yaml')} is readable only by you. Write \${NAME} there to keep secrets out of it.`,
    );
  }
}

function targetOf({ command, args = [], url }: McpServerConfig): string {
  return url ?? [command, ...args].join(' ');
}

/**
 * Whether an entry may contain a secret in plain text: any value of a variable or header, the client secret of a login,
 * or something like a credential in its URL or arguments. `${NAME}` doesn't count.
 */
function hasLiteralSecret(config: McpServerConfig): boolean {
  const { env = {}, headers = {}, oauth = {}, url = '', args = [] } = config;
  const values = [...Object.values(env), ...Object.values(headers), oauth.clientSecret, oauth.privateKey];
  if (values.some((value = '') => value !== '' && !value.includes('${'))) return true;
  return (
    credentialsIn('url', url).length > 0 ||
    args.some((arg, at) => {
      const [, option, value] = /^-*([^=]+)=(.*)$/.exec(arg) ?? ['', args[at - 1] ?? '', arg];
      return credentialsIn(option ?? '', value ?? '').length > 0;
    })
  );
}
