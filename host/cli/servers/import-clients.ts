import { join } from 'node:path';
import { pegboard } from '../../core/own-command.ts';
import { loadConfig } from '../../config.ts';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { variableOf } from '../../home-environment.ts';
import type { Host } from '../../host.ts';
import { defaultPlaces } from '../../sources/mcp/import/client-files.ts';
import { findClientServers } from '../../sources/mcp/import/import-clients.ts';
import { showForm, type FormPlace } from '../terminal/show-form.ts';
import { oneLine } from '../terminal/safe.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeServer } from './config-file.ts';
import { toImportable, type Importable } from './importable.ts';
import { putSecretsAside } from './put-secrets-aside.ts';

export interface ClientImport {
  readonly found: readonly Importable[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The servers that other clients on this machine have configured, or those in one `file`. */
export async function findImportable(home: string, file?: string): Promise<ClientImport> {
  const { servers, diagnostics } = await findClientServers(defaultPlaces(), file);
  const { config } = await loadConfig(home, variableOf(home));
  const configured = new Map([...config.servers].map(([name, entry]) => [name, entry.config]));
  // The home reads its own .mcp.json directly.
  const others = servers.filter(({ path }) => path !== join(home, '.mcp.json'));
  return { found: toImportable(others, configured), diagnostics };
}

/** Those that the person selects; none when cancelled. */
export async function selectServers(
  offered: readonly Importable[],
  message: string,
  place: FormPlace,
): Promise<readonly Importable[]> {
  const picked = await showForm(place, ({ multiselect }, streams) =>
    multiselect({
      ...streams,
      message,
      options: offered.map(({ as, client }) => ({ value: as, label: as, hint: client })),
      required: false,
    }),
  );
  return offered.filter(({ as }) => picked?.includes(as));
}

/** Writes their entries. What may be a secret is stored as one, and the entry refers to it. */
export async function importServers(
  chosen: readonly Importable[],
  { home, openHost }: { readonly home: string; readonly openHost: () => Promise<Host> },
): Promise<readonly ImportedServer[]> {
  const imported: ImportedServer[] = [];
  for (const { as, name: written, config } of chosen) {
    const host = await openHost();
    const environment = variableOf(home);
    const known = (name: string): string | undefined => environment(name) ?? host.secrets.get(name);
    const { config: entry, secrets } = putSecretsAside(as, config, known);
    for (const [name, value] of secrets) await host.secrets.set(name, value, 'owner');
    await writeServer(home, as, { ...entry }, { replace: false });
    imported.push({ name: as, written, secrets: [...secrets.keys()] });
  }
  return imported;
}

/** `written`: its name in the other client. `secrets`: the names of the secrets that were stored for it. */
interface ImportedServer {
  readonly name: string;
  readonly written: string;
  readonly secrets: readonly string[];
}

export function showImported(imported: readonly ImportedServer[], { out, err }: Terminal): void {
  out.line(`${out.style.good('imported:')} ${imported.map(({ name }) => name).join(', ')}`);
  for (const { name, written } of imported)
    if (written !== name) err.line(oneLine(`"${written}" is called ${name} here`));
  for (const { name, secrets } of imported)
    if (secrets.length > 0)
      err.line(
        `${name}: what may be a secret was stored as ${secrets.join(', ')}, and its entry refers to it. \`${pegboard} secret list\` shows all.`,
      );
}
