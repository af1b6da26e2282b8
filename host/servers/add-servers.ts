import { variableOf } from '../home-environment.ts';
import type { Host } from '../host.ts';
import type { McpServerConfig } from '../sources/mcp/config.ts';
import { writeServer } from '../write-config.ts';
import { putSecretsAside, type WithoutSecrets } from './put-secrets-aside.ts';

/** The home that servers are added to. */
type ServerHome = Pick<Host, 'home' | 'surroundings' | 'secrets'>;

/** A server with the name that it gets here. */
export interface NewServer {
  readonly as: string;
  /** In the client that it comes from. */
  readonly name?: string;
  readonly config: McpServerConfig;
}

/** `written`: its name in another client. `secrets`: the names of the secrets that were stored for it. */
export interface AddedServer {
  readonly name: string;
  readonly written: string;
  readonly secrets: readonly string[];
}

/** Writes their entries. What may be a secret is stored as one, and the entry refers to it. Throws PEG_USAGE for a name that is taken. */
export async function addServers(
  chosen: readonly NewServer[],
  { home, openHost }: { readonly home: string; readonly openHost: () => Promise<ServerHome> },
): Promise<readonly AddedServer[]> {
  const added: AddedServer[] = [];
  for (const server of chosen) {
    const host = await openHost();
    const { config: entry, secrets } = asWritten(server, host);
    for (const [name, value] of secrets) await host.secrets.set(name, value, 'owner');
    await writeServer(home, host.surroundings, server.as, { ...entry }, { replace: false });
    added.push({ name: server.as, written: server.name ?? server.as, secrets: [...secrets.keys()] });
  }
  return added;
}

/** Its entry as it would be written in this home, and the secrets that would be stored for it. */
export function asWritten({ as, config }: NewServer, host: ServerHome): WithoutSecrets {
  return putSecretsAside(as, config, valueIn(host));
}

/** What a variable has as its value in a home: from the environment, or a stored secret. */
export function valueIn({ home, surroundings, secrets }: ServerHome): (name: string) => string | undefined {
  const variable = variableOf(home, surroundings);
  return (name) => variable(name) ?? secrets.get(name);
}
