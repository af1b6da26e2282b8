import type { Adapter } from 'oidc-provider';
import type { JsonObject } from 'pegboard';
import type { ClientLogins, SharedLogins } from 'pegboard/serving';
import { createExpiringStore } from './expiring-store.ts';

/** The kinds of data that survive a restart. */
const kept = new Set(['Client', 'Grant', 'AccessToken', 'RefreshToken']);
const ofOneLogin = new Set(['Session', 'Interaction', 'AuthorizationCode', 'ReplayDetection']);
/** Maximum number of clients, since anybody can register one. */
const maxClients = 200;

/**
 * Seconds in which a refresh token may be used again: responses get lost, and two processes of a client may refresh at
 * the same time. A later reuse means that it was stolen.
 */
const refreshGraceSeconds = 60;

/** Of one login. Anybody can begin one: of more than these the oldest gives way. */
const maxBegun = 1_000;

/**
 * Stores the authorization server's data. `shared`: a login may be continued on another host. `alreadyUsed` creates the
 * error for a token that is redeemed twice.
 */
export function createAdapters(
  logins: ClientLogins,
  shared: SharedLogins | undefined,
  alreadyUsed: () => Error,
): (kind: string) => Adapter {
  return (kind) => {
    if (kept.has(kind)) return stored(kind, logins, alreadyUsed);
    if (!ofOneLogin.has(kind)) throw new Error(`no place to keep a ${kind}`);
    return shared ? begun(kind, shared, alreadyUsed) : inMemory(alreadyUsed);
  };
}

function begun(kind: string, logins: SharedLogins, alreadyUsed: () => Error): Adapter {
  const all = stored(kind, logins, alreadyUsed);
  return {
    ...all,
    async upsert(id, payload, expiresIn) {
      await all.upsert(id, { ...payload, ownId: id }, expiresIn);
      await logins.keepNewest(kind, maxBegun);
    },
    async findByUid(uid) {
      const found = await logins.findBy(kind, 'uid', uid);
      return found && { ...found, jti: found['ownId'] as string };
    },
  };
}

function stored(kind: string, logins: ClientLogins, alreadyUsed: () => Error): Adapter {
  return {
    ...onlyOfOtherKinds,
    async upsert(id, payload, expiresIn) {
      // The id of a token is the token itself, so it must not be stored.
      const { jti: _, ...rest } = payload;
      await logins.put({
        kind,
        id,
        client: kind === 'Client' ? id : payload.clientId,
        grant: payload.grantId,
        payload: rest,
        expiresAt: kind === 'Client' ? undefined : secondsFromNow(expiresIn),
      });
      if (kind === 'Client') await logins.keepClients(maxClients);
    },
    async find(id) {
      const payload = await logins.find(kind, id);
      if (!payload || kind === 'Client') return payload;
      const { consumed: _, ...unused } = payload;
      return { ...(mayComeAgain(kind, payload) ? unused : payload), jti: id };
    },
    async consume(id) {
      if (await logins.consume(kind, id)) return;
      if (!mayComeAgain(kind, await logins.find(kind, id))) throw alreadyUsed();
    },
    async destroy(id) {
      await logins.remove(kind, id);
    },
    async revokeByGrantId(grant) {
      await logins.revoke(kind, grant);
    },
  };
}

function inMemory(alreadyUsed: () => Error): Adapter {
  const entries = createExpiringStore(maxBegun);
  return {
    ...onlyOfOtherKinds,
    async upsert(id, payload, expiresIn) {
      entries.put(id, payload, secondsFromNow(expiresIn));
    },
    async find(id) {
      return entries.find(id);
    },
    async findByUid(uid) {
      return entries.findBy('uid', uid);
    },
    async consume(id) {
      if (!entries.consume(id)) throw alreadyUsed();
    },
    async destroy(id) {
      entries.remove(id);
    },
    async revokeByGrantId(grant) {
      entries.revoke(grant);
    },
  };
}

const onlyOfOtherKinds: Pick<Adapter, 'findByUid' | 'findByUserCode'> = {
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
};

const mayComeAgain = (kind: string, payload: JsonObject | undefined): boolean =>
  kind === 'RefreshToken' &&
  typeof payload?.['consumed'] === 'number' &&
  Date.now() / 1000 < payload['consumed'] + refreshGraceSeconds;

/** Everything but clients expires. */
const secondsFromNow = (seconds: number | undefined): number =>
  Math.floor(Date.now() / 1000) + (seconds ?? 24 * 3600);
