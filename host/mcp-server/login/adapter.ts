import type { Adapter } from 'oidc-provider';
import type { JsonObject } from '../../api/result.ts';
import type { ClientLogins } from '../../store/owner/client-logins.ts';
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

/** Stores the authorization server's data. `alreadyUsed` creates the error for a token that is redeemed twice. */
export function createAdapters(logins: ClientLogins, alreadyUsed: () => Error): (kind: string) => Adapter {
  return (kind) => {
    if (kept.has(kind)) return inFile(kind, logins, alreadyUsed);
    if (ofOneLogin.has(kind)) return inMemory(alreadyUsed);
    throw new Error(`no place to keep a ${kind}`);
  };
}

function inFile(kind: string, logins: ClientLogins, alreadyUsed: () => Error): Adapter {
  return {
    ...onlyOfOtherKinds,
    async upsert(id, payload, expiresIn) {
      // The id of a token is the token itself, so it must not be stored.
      const { jti: _, ...rest } = payload;
      logins.put({
        kind,
        id,
        client: kind === 'Client' ? id : payload.clientId,
        grant: payload.grantId,
        payload: rest,
        expiresAt: kind === 'Client' ? undefined : secondsFromNow(expiresIn),
      });
      if (kind === 'Client') logins.keepClients(maxClients);
    },
    async find(id) {
      const payload = logins.find(kind, id);
      if (!payload || kind === 'Client') return payload;
      const { consumed: _, ...unused } = payload;
      return { ...(mayComeAgain(kind, payload) ? unused : payload), jti: id };
    },
    async consume(id) {
      if (!logins.consume(kind, id) && !mayComeAgain(kind, logins.find(kind, id))) throw alreadyUsed();
    },
    async destroy(id) {
      logins.remove(kind, id);
    },
    async revokeByGrantId(grant) {
      logins.revoke(kind, grant);
    },
  };
}

function inMemory(alreadyUsed: () => Error): Adapter {
  const entries = createExpiringStore();
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
