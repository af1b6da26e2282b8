import { isHeaderName, isReservedHeader, listOf, type Members, membersOf, trimmedText } from 'pegboard/kit';
import { plainLine } from '../foreign-text.ts';
import { hostWords, toVariable } from '../names.ts';
import type { NeededSecret } from '../tool-plan.ts';
import { UnusableOperation, type ApiDocument } from './api-document.ts';

/** What an operation sends to prove who calls it. Values are `${NAME}`. */
export interface Credentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

export interface ApiSecurity {
  /**
   * The first way that can be used here, for the server that gets it. Throws UnusableOperation where there is none.
   */
  credentialsOf(operation: Members, server: string): Credentials;
  /** Those that an operation has asked for so far. */
  readonly secrets: readonly NeededSecret[];
}

interface Scheme extends Credentials {
  readonly secret: NeededSecret;
}

/** Secrets are named after the host that gets them: what a document says about itself may name somebody else's. */
export function readSecurity(document: ApiDocument): ApiSecurity {
  const { root } = document;
  const byHost = new Map<string, ReadonlyMap<string, Scheme | undefined>>();
  const schemesFor = (server: string): ReadonlyMap<string, Scheme | undefined> => {
    const host = hostWords(server);
    const known = byHost.get(host) ?? schemesOf(document, host);
    byHost.set(host, known);
    return known;
  };
  const used = new Map<string, NeededSecret>();
  return {
    credentialsOf(operation, server) {
      const schemes = schemesFor(server);
      const ways = listOf(operation['security'] ?? root['security']).map((way) =>
        Object.keys(membersOf(way)),
      );
      if (ways.length === 0) return { headers: [], query: [] };
      const usable = ways.filter((way) => way.every((key) => schemes.get(key) !== undefined));
      // A way without any scheme means that it works without; with a key it usually gives more.
      const chosen = usable.find((way) => way.length > 0) ?? usable[0];
      if (chosen === undefined)
        throw new UnusableOperation(`it needs ${plainLine(ways.flat().join(', '))}, which is not supported`);
      const all = chosen.map((key) => schemes.get(key)!);
      for (const { secret } of all) used.set(secret.name, secret);
      return {
        headers: joinCookies(all.flatMap(({ headers }) => headers)),
        query: all.flatMap(({ query }) => query),
      };
    },
    get secrets() {
      return [...used.values()];
    },
  };
}

function schemesOf({ root, resolve }: ApiDocument, prefix: string): ReadonlyMap<string, Scheme | undefined> {
  const written = membersOf(membersOf(root['components'])['securitySchemes']);
  const schemes = new Map<string, Scheme | undefined>();
  const names = new Set<string>();
  for (const [key, scheme] of Object.entries(written)) {
    const found = toScheme(key, resolve(scheme), (suffix) => {
      const short = toVariable(prefix, suffix);
      const name = names.has(short) ? toVariable(prefix, key, suffix) : short;
      names.add(name);
      return name;
    });
    schemes.set(key, found);
  }
  return schemes;
}

function joinCookies(headers: Credentials['headers']): Credentials['headers'] {
  const cookies = headers.filter(([name]) => name === 'Cookie').map(([, value]) => value);
  const others = headers.filter(([name]) => name !== 'Cookie');
  return cookies.length === 0 ? others : [...others, ['Cookie', cookies.join('; ')]];
}

function toScheme(key: string, scheme: Members, nameOf: (suffix: string) => string): Scheme | undefined {
  const authorization = (kind: string, suffix: string, more: Partial<NeededSecret> = {}): Scheme => {
    const name = nameOf(suffix);
    return {
      headers: [['Authorization', `${kind} \${${name}}`]],
      query: [],
      secret: { name, use: `the header Authorization (${plainLine(key)})`, ...more },
    };
  };
  switch (scheme['type']) {
    case 'http': {
      const kind = trimmedText(scheme['scheme']).toLowerCase();
      if (kind === 'bearer') return authorization('Bearer', 'token');
      return kind === 'basic' ? authorization('Basic', 'basic-auth', { isUserAndPassword: true }) : undefined;
    }
    case 'oauth2':
    case 'openIdConnect':
      return authorization('Bearer', 'token');
    case 'apiKey':
      return toApiKey(trimmedText(scheme['name']), scheme['in'], nameOf);
    default:
      return undefined;
  }
}

function toApiKey(written: string, place: unknown, nameOf: (suffix: string) => string): Scheme | undefined {
  const at = /^[\w.!#&'*+^`|~-]+$/.test(written) ? written : undefined;
  if (at === undefined) return undefined;
  const suffix = /^authorization$/i.test(at) ? 'token' : at.replace(/^x-/i, '');
  const scheme = (use: string, credentials: (value: string) => Partial<Credentials>): Scheme => {
    const name = nameOf(suffix);
    return { headers: [], query: [], ...credentials(`\${${name}}`), secret: { name, use } };
  };
  switch (place) {
    case 'header':
      return isHeaderName(at) && !isReservedHeader(at)
        ? scheme(`the header ${at}`, (value) => ({ headers: [[at, value]] }))
        : undefined;
    case 'query':
      return scheme(`${at} of the query`, (value) => ({ query: [[at, value]] }));
    case 'cookie':
      return scheme(`the cookie ${at}`, (value) => ({ headers: [['Cookie', `${at}=${value}`]] }));
    default:
      return undefined;
  }
}
