import { PegboardError } from 'pegboard';
import { listOf, type Members, membersOf, trimmedText } from 'pegboard/kit';
import { plainLine } from '../foreign-text.ts';
import { UnusableOperation } from './api-document.ts';

/** Where the operations are sent. */
export interface ApiServers {
  /**
   * The server of an operation: its own, that of its path, or the document's. No slash at its end. Throws
   * UnusableOperation where its own can't be used, and PEG_USAGE where there is none.
   */
  serverOf(path: Members, operation: Members): string;
  readonly notes: readonly string[];
}

export interface ServerOptions {
  /** What the owner said, instead of what the document says. */
  readonly given: string | undefined;
  /** Where the document was read, for addresses that are relative to it. */
  readonly documentUrl: string | undefined;
  readonly from: string;
}

/** Throws PEG_USAGE for a given server that is no address. */
export function readServers(root: Members, { given, documentUrl, from }: ServerOptions): ApiServers {
  if (given !== undefined) {
    const server = toServer(given, undefined);
    if (server === undefined)
      throw new PegboardError('PEG_USAGE', `--server ${given} is not an address: https://host/path`);
    return { serverOf: () => server, notes: [] };
  }
  const notes = new Set<string>();
  const first = (written: unknown): string | undefined => {
    const [server] = listOf(written).map(membersOf);
    return server && toServer(filled(server, notes), documentUrl);
  };
  const standard =
    first(root['servers']) ?? (documentUrl === undefined ? undefined : toServer('/', documentUrl));
  const others = listOf(root['servers'])
    .slice(1)
    .map((server) => plainLine(membersOf(server)['url']));
  if (standard !== undefined && others.length > 0)
    notes.add(
      `the document names other servers too: ${others.slice(0, 5).join(', ')} (--server chooses one)`,
    );
  return {
    serverOf(path, operation) {
      const own = [operation['servers'], path['servers']].find((written) => listOf(written).length > 0);
      const server = own === undefined ? standard : first(own);
      if (server !== undefined) return server;
      if (own !== undefined)
        throw new UnusableOperation('it has a server of its own, whose address is not valid');
      const said = plainLine(membersOf(listOf(root['servers'])[0])['url']);
      throw new PegboardError(
        'PEG_USAGE',
        `${from} doesn't say where its server is${said === '' ? '' : ` ("${said}")`}: pass --server https://…`,
      );
    },
    get notes() {
      return [...notes];
    },
  };
}

/** The address with the defaults of its variables. */
function filled(server: Members, notes: Set<string>): string {
  const variables = membersOf(server['variables']);
  return trimmedText(server['url']).replaceAll(/\{([^{}]*)\}/g, (found, name: string) => {
    const value = membersOf(variables[name])['default'];
    if (!['string', 'number'].includes(typeof value)) return found;
    const text = String(value);
    const others = listOf(membersOf(variables[name])['enum']).length > 1 ? ', of several' : '';
    notes.add(`the server's ${plainLine(name)} is ${plainLine(text)}${others} (--server chooses another)`);
    return text;
  });
}

/** Nothing of it can be a template, or choose another server later. */
function toServer(written: string, base: string | undefined): string | undefined {
  const url = URL.parse(written.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || /[{}]|%7[bd]/i.test(url.href)) return undefined;
  return `${url.origin}${url.pathname.replaceAll('$', '%24')}`.replace(/\/+$/, '');
}
