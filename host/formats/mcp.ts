/** .mcp.json, and the servers of pegboard.yaml. */
import Type from 'typebox';
import {
  address,
  choice,
  closed,
  described,
  mapOf,
  nullable,
  text,
  textList,
  type Written,
} from './parts.ts';
import { sandbox } from './sandbox.ts';

export const mcpServer = closed({
  type: Type.Optional(
    choice(['stdio', 'http', 'streamable-http', 'sse'], {
      description: 'How it is reached. stdio when there is a command, http when there is a url.',
    }),
  ),
  command: Type.Optional(text({ description: 'stdio: the program to start.' })),
  args: Type.Optional(
    Type.Array(Type.String(), {
      description: 'stdio: its arguments. ${NAME} and ${NAME:-default} are filled in.',
    }),
  ),
  env: Type.Optional(
    mapOf(Type.String(), {
      description: 'stdio: its environment variables. ${NAME} and ${NAME:-default} are filled in.',
    }),
  ),
  cwd: Type.Optional(
    text({ description: 'stdio: the folder it starts in, from the home. The home when absent.' }),
  ),
  url: Type.Optional(address({ description: 'http, sse: its address.' })),
  headers: Type.Optional(
    mapOf(Type.String(), {
      description: 'http, sse: headers of every request. ${NAME} and ${NAME:-default} are filled in.',
    }),
  ),
  description: Type.Optional(text({ description: 'What its tools are for, in a sentence; searched.' })),
  allow: Type.Optional(textList({ description: 'Only tools that match one of these patterns.' })),
  block: Type.Optional(textList({ description: 'No tools that match one of these patterns.' })),
  confirm: Type.Optional(
    Type.Union([Type.Boolean(), textList()], {
      description: 'Ask before every run: of all its tools, or of those that match one of these patterns.',
    }),
  ),
  timeout: Type.Optional(
    Type.Number({
      description: 'Seconds that a call may take.',
      exclusiveMinimum: 0,
      maximum: 86400,
      default: 60,
    }),
  ),
  connectTimeout: Type.Optional(
    Type.Number({
      description: 'Seconds that connecting may take.',
      exclusiveMinimum: 0,
      maximum: 600,
      default: 30,
    }),
  ),
  trust: Type.Optional(
    Type.Boolean({
      description:
        'Take its tools as they are, also when they change. Otherwise a tool that changed after it was first seen waits for `pegboard mcp approve`.',
    }),
  ),
  sandbox: Type.Optional(
    described(sandbox, { description: 'stdio: what its program is confined to; its workspace is its cwd.' }),
  ),
  scope: Type.Optional(
    choice(['shared', 'session'], {
      description:
        'session: a connection, and so a process, for each session of a client and each conversation of an agent, for servers that keep state. shared: one for all.',
      default: 'shared',
    }),
  ),
  maxSessions: Type.Optional(
    Type.Integer({
      description:
        'Connections at once where each client has its own. One more ends the one that has waited longest.',
      minimum: 1,
      maximum: 1000,
      default: 20,
    }),
  ),
  idleTimeout: Type.Optional(
    Type.Number({
      description: 'Seconds without a call after which such a connection ends.',
      exclusiveMinimum: 0,
      maximum: 86400,
      default: 900,
    }),
  ),
  clientCapabilities: Type.Optional(
    Type.Array(choice(['sampling', 'roots']), {
      description:
        'What it may ask of the client or agent that calls: sampling (an answer of its model), roots (its folders). Questions to a person it may always ask.',
    }),
  ),
  enabled: Type.Optional(Type.Boolean({ description: "false: it isn't started.", default: true })),
  oauth: Type.Optional(
    closed(
      {
        grant: Type.Optional(
          choice(['authorization_code', 'client_credentials'], {
            description:
              'Who logs in: a person in a browser, or this machine with clientId and clientSecret or privateKey.',
            default: 'authorization_code',
          }),
        ),
        clientId: Type.Optional(text({ description: 'Of a client registered by hand.' })),
        clientSecret: Type.Optional(
          text({ description: 'Of that client; ${NAME} keeps it out of the file.' }),
        ),
        privateKey: Type.Optional(
          text({
            description:
              'client_credentials: a private key (PEM, PKCS #8) instead of a secret; ${NAME} keeps it out of the file.',
          }),
        ),
        algorithm: Type.Optional(
          choice(['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'], {
            description: 'What privateKey signs with.',
            default: 'ES256',
          }),
        ),
        issuer: Type.Optional(
          address({
            description:
              'The only authorization server that may get these credentials. Whichever the MCP server names when absent.',
          }),
        ),
        clientMetadataUrl: Type.Optional(
          Type.String({
            description:
              "An https:// address where the client is described, for authorization servers that take it as the client's id. Others register it.",
            pattern: '^(https://|\\$\\{)',
          }),
        ),
        scopes: Type.Optional(textList({ description: 'What to ask for.' })),
        redirectPort: Type.Optional(
          Type.Integer({
            description: 'Port of 127.0.0.1 that the browser comes back to. Any free one when absent.',
            minimum: 1,
            maximum: 65535,
          }),
        ),
      },
      { description: 'http, sse: for servers that want a login.' },
    ),
  ),
  disabled: Type.Optional(
    Type.Boolean({ description: 'As other clients write it: true is enabled: false.' }),
  ),
  alwaysAllow: Type.Optional(
    textList({
      description:
        "As other clients write it: tools that they don't ask about. Pegboard asks where its own confirm says so.",
    }),
  ),
});

export const mcpFormat = nullable(
  closed(
    {
      $schema: Type.Optional(Type.String({ description: 'For editors.' })),
      mcpServers: Type.Optional(
        mapOf(mcpServer, { description: "Servers by name. The name is the first half of their tools' ids." }),
      ),
    },
    {
      title: 'MCP servers',
      description:
        ".mcp.json: the file with mcpServers that other clients use, read as it is. Keys that Pegboard doesn't know are reported and ignored.",
      unknownKeys: 'warning',
      examples: [
        {
          mcpServers: {
            everything: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
            tickets: {
              type: 'http',
              url: 'https://tickets.example/mcp',
              headers: { Authorization: 'Bearer ${TICKETS_TOKEN}' },
            },
          },
        },
      ],
    },
  ),
);

/** One entry of `mcpServers`. */
export type WrittenServer = Written<typeof mcpServer>;
