import { join } from 'node:path';
import { loadConfig } from '../../config.ts';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { credentialsIn } from '../../core/secrets/credentials.ts';
import { variableOf } from '../../home-environment.ts';
import type { McpServerConfig } from '../../sources/mcp/config.ts';
import { defaultPlaces } from '../../sources/mcp/import/client-files.ts';
import { findClientServers } from '../../sources/mcp/import/import-clients.ts';
import type { Context } from '../command.ts';
import { showForm, type FormPlace } from '../terminal/show-form.ts';
import { writeServer, writtenConfigFile } from './config-file.ts';
import { toImportable, type Importable } from './importable.ts';

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

export async function importServers(home: string, chosen: readonly Importable[]): Promise<void> {
  for (const { as, config } of chosen)
    await writeServer(home, as, { ...config }, { replace: false, isSecret: hasLiteralSecret(config) });
}

export function showImported(
  chosen: readonly Importable[],
  { terminal, home }: Pick<Context, 'terminal' | 'home'>,
): void {
  const { out, err } = terminal;
  out.line(`${out.style.good('imported:')} ${chosen.map(({ as }) => as).join(', ')}`);
  const withSecrets = chosen.filter(({ config }) => hasLiteralSecret(config));
  if (withSecrets.length > 0) {
    err.line(
      `${withSecrets.map(({ as }) => as).join(', ')}: variables, headers or secrets were copied as they are, and ${join(home, writtenConfigFile(home))} is readable only by you. Write \${NAME} there to keep secrets out of it.`,
    );
  }
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
