import { existsSync } from 'node:fs';
import { clientLoginsFile, openClientLogins, type AllowedClient } from '../../store/owner/client-logins.ts';
import { userStateOf } from '../../store/owner/user-state.ts';

/** Its id is "clients/client.example" for one that a page describes, "clients/fHvO7-g9" for one that registered itself. */
export interface ListedClient {
  readonly client: AllowedClient;
  readonly forget: () => Promise<void>;
}

/** Clients that were approved by a login at this home's server. */
export async function allowedClients(home: string): Promise<readonly ListedClient[]> {
  const file = clientLoginsFile(userStateOf(home));
  if (!existsSync(file)) return [];
  using logins = await openClientLogins(file);
  return logins.allowed().map((client) => ({
    client: { ...client, id: `clients/${URL.parse(client.id)?.host ?? client.id.slice(0, 8)}` },
    async forget() {
      using logins = await openClientLogins(file);
      logins.forget(client.id);
    },
  }));
}
