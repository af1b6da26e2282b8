import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { commandOf, shownConfig } from 'pegboard/home';
import { addServers, findImportable } from 'pegboard/kit';
import { foundDetails, searchRegistry } from '../servers/choose-found.ts';
import { draftServer } from '../servers/draft-server.ts';
import { toDraftRow } from '../servers/draft.ts';
import type { AddedRow, ClientRow, WantedServer } from '../servers/wire.ts';
import { requireProof, textIn, type ApiHandlers, type ApiRequest } from './handler.ts';
import { connectLater } from './server-acts.ts';

/** Adding servers: typed, found in a registry, or taken from another client. */
export function addServerHandlers(host: Host): ApiHandlers {
  return {
    'GET registry-search': ({ query, signal }) => searchRegistry(query.get('q') ?? '', host, signal),
    'GET registry-entry': ({ query, signal }) =>
      foundDetails(query.get('entry') ?? '', query.get('version') ?? '', host, signal),
    'GET importable': async (): Promise<{ readonly servers: readonly ClientRow[] }> => {
      const { found } = await findImportable(host.home, host.surroundings);
      return {
        servers: found.map(({ as, client, path, config, skipped }) => ({
          name: as,
          client,
          path,
          runs: host.redact(commandOf(shownConfig(as, config))),
          ...(skipped !== undefined && { skipped }),
        })),
      };
    },
    'POST server-draft': async ({ body, signal }) =>
      toDraftRow(await draftServer(wantedIn(body), host, signal), host),
    'POST server-add': async (request): Promise<AddedRow> => {
      requireProof(request);
      const { body, signal } = request;
      const draft = await draftServer(wantedIn(body), host, signal);
      const row = toDraftRow(draft, host);
      if (row.shown !== textIn(body, 'shown'))
        throw new PegboardError('PEG_DENIED', 'It is not what was shown. Look at it again.');
      for (const [name, value] of draft.typed) await host.secrets.set(name, value, 'owner');
      await addServers([draft.server], { home: host.home, openHost: async () => host });
      await host.reloadConfig();
      const unset = row.gets.filter(({ isSet }) => !isSet).map(({ name }) => name);
      if (unset.length === 0) connectLater(row.name, host);
      return { name: row.name, secrets: row.secrets, unset };
    },
  };
}

/** Throws PEG_USAGE. */
function wantedIn(body: ApiRequest['body']): WantedServer {
  const text = (name: string): string => textIn(body, name);
  switch (text('from')) {
    case 'typed':
      return {
        from: 'typed',
        name: text('name'),
        target: text('target'),
        values: textsIn(body, 'values'),
        ...(body['cwd'] !== undefined && { cwd: text('cwd') }),
      };
    case 'registry':
      return {
        from: 'registry',
        name: text('name'),
        entry: text('entry'),
        version: text('version'),
        kind: text('kind'),
        what: text('what'),
        answers: textsIn(body, 'answers'),
      };
    case 'client':
      return { from: 'client', name: text('name'), client: text('client'), path: text('path') };
    default:
      throw new PegboardError('PEG_USAGE', '"from" must be typed, registry or client.');
  }
}

function textsIn(body: ApiRequest['body'], name: string): { readonly [key: string]: string } {
  const value = body[name] ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PegboardError('PEG_USAGE', `"${name}" must be an object.`);
  const texts = Object.entries(value);
  if (!texts.every(([, text]) => typeof text === 'string'))
    throw new PegboardError('PEG_USAGE', `"${name}" must have texts.`);
  return Object.fromEntries(texts);
}
