import { existsSync } from 'node:fs';
import type { User } from '../../core/platform/places.ts';
import { withSharedServing } from '../../compose/home-serving.ts';
import {
  clientLoginsFile,
  openClientLogins,
  type AllowedClient,
  type ClientLogins,
} from '../../store/owner/client-logins.ts';
import { userStateOf } from '../../store/owner/user-state.ts';

/** Its id is "clients/client.example" for one that a page describes, "clients/fHvO7-g9" for one that registered itself. */
export interface ListedClient {
  readonly client: AllowedClient;
  readonly forget: () => Promise<void>;
}

/** Clients that were approved by a login at this home's server. */
export async function allowedClients(home: string, user: User): Promise<readonly ListedClient[]> {
  const clients = (await withLogins(home, user, (logins) => logins.allowed())) ?? [];
  return clients.map((client) => ({
    client: { ...client, id: `clients/${URL.parse(client.id)?.host ?? client.id.slice(0, 8)}` },
    async forget() {
      await withLogins(home, user, (logins) => logins.forget(client.id));
    },
  }));
}

/** Undefined: nobody has ever logged in. */
async function withLogins<Result>(
  home: string,
  user: User,
  work: (logins: ClientLogins) => Promise<Result>,
): Promise<Result | undefined> {
  return await withSharedServing(home, user, async (shared) => {
    if (shared) return await work(shared.logins);
    const file = clientLoginsFile(userStateOf(home, user));
    if (!existsSync(file)) return undefined;
    using logins = await openClientLogins(file);
    return await work(logins);
  });
}
