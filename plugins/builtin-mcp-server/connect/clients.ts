import { existsSync } from 'node:fs';
import type { JsonObject } from 'pegboard';
import { type ClientFile, clientFiles, type ClientPlaces } from 'pegboard/kit';

/** How a client starts Pegboard, or where it finds it. */
export type OwnServer =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: { readonly [name: string]: string };
    }
  | { readonly url: string; readonly headers: { readonly [name: string]: string } };

/** One client: where its settings are, and the shape of an entry. */
export interface KnownClient {
  /** Its name in `clientFiles`. */
  readonly title: string;
  /** Undefined where the client can't do it. */
  toEntry(server: OwnServer): JsonObject | undefined;
  /** It has no settings file in projects. */
  readonly userOnly?: boolean;
  /** What the user has to do before the client notices the entry. */
  readonly nextStep: string;
}

const plain = (server: OwnServer): JsonObject => ({ ...server });

/** With a type, as VS Code and Claude Code write it. */
const typed = (server: OwnServer): JsonObject => ({ type: 'url' in server ? 'http' : 'stdio', ...server });

const restart = (title: string): string => `Restart ${title}`;

export const knownClients = {
  'claude-code': { title: 'Claude Code', toEntry: typed, nextStep: 'Start a new session, or use /mcp' },
  'claude-desktop': {
    title: 'Claude Desktop',
    toEntry: (server) => ('url' in server ? undefined : plain(server)),
    userOnly: true,
    nextStep: restart('Claude Desktop'),
  },
  cursor: { title: 'Cursor', toEntry: plain, nextStep: 'Cursor shows it under Settings, MCP' },
  vscode: { title: 'VS Code', toEntry: typed, nextStep: '"MCP: List Servers" in VS Code starts it' },
  codex: {
    title: 'Codex',
    toEntry: (server) =>
      'url' in server ? { url: server.url, http_headers: server.headers } : plain(server),
    nextStep: 'Start a new session of Codex',
  },
  windsurf: {
    title: 'Windsurf',
    toEntry: (server) =>
      'url' in server ? { serverUrl: server.url, headers: server.headers } : plain(server),
    userOnly: true,
    nextStep: 'Press Refresh in the MCP panel of Windsurf',
  },
  zed: {
    title: 'Zed',
    toEntry: (server) => ({ source: 'custom', ...('url' in server ? server : { env: {}, ...server }) }),
    nextStep: 'Zed starts it automatically',
  },
  opencode: {
    title: 'OpenCode',
    toEntry: (server) =>
      'url' in server
        ? { type: 'remote', ...server, enabled: true }
        : {
            type: 'local',
            command: [server.command, ...server.args],
            ...(server.env && { environment: server.env }),
            enabled: true,
          },
    nextStep: restart('OpenCode'),
  },
  gemini: {
    title: 'Gemini CLI',
    toEntry: (server) => ('url' in server ? { httpUrl: server.url, headers: server.headers } : plain(server)),
    nextStep: restart('Gemini CLI'),
  },
} as const satisfies { readonly [id: string]: KnownClient };

export type ClientId = keyof typeof knownClients;

export const isClientId = (text: string): text is ClientId => Object.hasOwn(knownClients, text);

/** The client's file for all projects, or the one of this project. Of several that it reads, the first that exists. */
export function fileOf(
  { title }: KnownClient,
  places: ClientPlaces,
  scope: 'user' | 'project',
): ClientFile | undefined {
  const inProject = (path: string): boolean => path.startsWith(places.project);
  // A user's home may be a project too: the first listed is the user's own.
  const [user, ...others] = clientFiles(places).filter(({ client }) => client === title);
  const files =
    scope === 'project'
      ? others.filter(({ path }) => inProject(path))
      : [user!, ...others.filter(({ path }) => !inProject(path))];
  return files.find(({ path }) => existsSync(path)) ?? files[0];
}
