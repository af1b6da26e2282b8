import { join } from 'node:path';
import { loadConfig } from '../config.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import { variableOf } from '../home-environment.ts';
import type { Host } from '../host.ts';
import { defaultPlaces } from '../sources/mcp/import/client-files.ts';
import { findClientServers } from '../sources/mcp/import/import-clients.ts';
import { writeServer } from '../write-config.ts';
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

/** Writes their entries. What may be a secret is stored as one, and the entry refers to it. */
export async function importServers(
  chosen: readonly Importable[],
  { home, openHost }: { readonly home: string; readonly openHost: () => Promise<Host> },
): Promise<readonly ImportedServer[]> {
  const imported: ImportedServer[] = [];
  for (const { as, config } of chosen) {
    const host = await openHost();
    const environment = variableOf(home);
    const known = (name: string): string | undefined => environment(name) ?? host.secrets.get(name);
    const { config: entry, secrets } = putSecretsAside(as, config, known);
    for (const [name, value] of secrets) await host.secrets.set(name, value, 'owner');
    await writeServer(home, as, { ...entry }, { replace: false });
    imported.push({ name: as, secrets: [...secrets.keys()] });
  }
  return imported;
}

/** `secrets`: the names of the secrets that were stored for it. */
export interface ImportedServer {
  readonly name: string;
  readonly secrets: readonly string[];
}
