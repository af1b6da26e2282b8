import { join } from 'node:path';
import type { Surroundings } from '../api/surroundings.ts';
import { loadConfigWithoutSecrets } from '../config.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import { clientPlaces } from '../sources/mcp/import/client-files.ts';
import { findClientServers } from '../sources/mcp/import/import-clients.ts';
import { toImportable, type Importable } from './importable.ts';

export interface ClientImport {
  readonly found: readonly Importable[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The servers that other clients on this machine have configured, or those in one `file`. */
export async function findImportable(
  home: string,
  surroundings: Surroundings,
  file?: string,
): Promise<ClientImport> {
  const { servers, diagnostics } = await findClientServers(clientPlaces(surroundings), file);
  const { config } = await loadConfigWithoutSecrets(home, surroundings);
  const configured = new Map([...config.servers].map(([name, entry]) => [name, entry.config]));
  // The home reads its own .mcp.json directly.
  const others = servers.filter(({ path }) => path !== join(home, '.mcp.json'));
  return { found: toImportable(others, configured), diagnostics };
}
