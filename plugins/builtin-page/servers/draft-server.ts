import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { isServerAddress, type McpServerConfig, type NewServer, serverNameProblem } from 'pegboard/home';
import { findImportable, splitWords } from 'pegboard/kit';
import { chooseFound } from './choose-found.ts';
import type { Draft } from './draft.ts';
import type { TypedServer, WantedServer } from './wire.ts';

/** Throws PEG_USAGE, PEG_DENIED, and what a registry throws. */
export async function draftServer(wanted: WantedServer, host: Host, signal: AbortSignal): Promise<Draft> {
  const problem = serverNameProblem(wanted.name);
  if (problem !== undefined) throw new PegboardError('PEG_USAGE', problem);
  if (host.config.servers.has(wanted.name))
    throw new PegboardError(
      'PEG_USAGE',
      `There is already a server ${wanted.name}. Give this one another name.`,
    );
  switch (wanted.from) {
    case 'typed':
      return plain({ as: wanted.name, config: toConfig(wanted) });
    case 'registry':
      return await chooseFound(wanted, host, signal);
    case 'client': {
      const { found } = await findImportable(host.home, host.surroundings);
      const server = found.find(
        ({ as, client, path, skipped }) =>
          as === wanted.name && client === wanted.client && path === wanted.path && skipped === undefined,
      );
      if (!server)
        throw new PegboardError(
          'PEG_USAGE',
          `${wanted.client} has no server "${wanted.name}" to import any more.`,
        );
      return plain(server);
    }
  }
}

const plain = (server: NewServer): Draft => ({ server, typed: new Map(), descriptions: new Map() });

function toConfig({ target, values, cwd }: TypedServer): McpServerConfig {
  const given = Object.keys(values).length > 0;
  const written = target.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written)) {
    if (!isServerAddress(written))
      throw new PegboardError('PEG_USAGE', 'An address starts with https:// or http://.');
    return { url: written, ...(given && { headers: values }) };
  }
  const words = splitWords(written);
  if (!words) throw new PegboardError('PEG_USAGE', 'A quotation mark in the command is not closed.');
  const [command, ...args] = words;
  if (command === undefined || command === '')
    throw new PegboardError(
      'PEG_USAGE',
      'Give a command, or an address that starts with https:// or http://.',
    );
  return {
    command,
    ...(args.length > 0 && { args }),
    ...(given && { env: values }),
    ...(cwd !== undefined && cwd !== '' && { cwd }),
  };
}
