/** pegboard.yaml. */
import Type from 'typebox';
import {
  address,
  anyMap,
  choice,
  closed,
  described,
  mapOf,
  nullable,
  text,
  textList,
  type Written,
} from './parts.ts';
import { mcpServer } from './mcp.ts';
import { models, spend } from './models.ts';
import { homePermissions } from './permissions.ts';
import { sandbox } from './sandbox.ts';

export const configFormat = nullable(
  closed(
    {
      name: Type.Optional(text({ description: 'What this home is called, where several are shown.' })),
      mcpServers: Type.Optional(
        mapOf(mcpServer, {
          description: "MCP servers by name. The name is the first half of their tools' ids.",
        }),
      ),
      mcpRegistry: Type.Optional(
        text({
          description:
            'Where `pegboard mcp search` and `mcp add` look servers up: the URL of a registry or mirror, or a file, from the home.',
          default: 'https://registry.modelcontextprotocol.io',
        }),
      ),
      confirm: Type.Optional(
        choice(['manifest', 'never', 'always'], {
          description: 'manifest: ask where a tool or a hook says so. always: before each call. never: not.',
          default: 'manifest',
        }),
      ),
      permissions: Type.Optional(homePermissions),
      provenance: Type.Optional(
        choice(['strict', 'guarded'], {
          description:
            "Which tools ask once a conversation has read what others wrote. strict: every tool that isn't declared read-only. guarded: only tools that are guarded, ask anyway or are marked destructive.",
          default: 'strict',
        }),
      ),
      sandbox: Type.Optional(
        described(sandbox, {
          description:
            'What the commands of all tools, and the shell, are confined to on Linux. MCP servers have a sandbox of their own.',
        }),
      ),
      output: Type.Optional(
        closed(
          {
            limit: Type.Optional(
              Type.Integer({
                description: 'Characters of one text; the whole is kept as an artifact.',
                minimum: 100,
                maximum: 10000000,
                default: 30000,
              }),
            ),
          },
          { description: "What a caller gets to see of a tool's output." },
        ),
      ),
      retention: Type.Optional(
        closed(
          {
            toolResults: Type.Optional(
              Type.Integer({
                description: 'Long arguments and results of tool calls; after that only their beginning.',
                minimum: 1,
                maximum: 36500,
                default: 90,
              }),
            ),
            usage: Type.Optional(
              Type.Integer({
                description: 'What each call of a model used and cost.',
                minimum: 1,
                maximum: 36500,
                default: 400,
              }),
            ),
            undo: Type.Optional(
              Type.Integer({
                description: 'What files were before a turn changed them.',
                minimum: 1,
                maximum: 36500,
                default: 30,
              }),
            ),
          },
          {
            description: 'Days for which what grows is kept; what people and agents said is kept for good.',
          },
        ),
      ),
      theme: Type.Optional(
        choice(['auto', 'light', 'dark', 'none'], {
          description:
            'Colours in the terminal: for a light or a dark background, for the one that the terminal has as far as it says so, or none.',
          default: 'auto',
        }),
      ),
      preset: Type.Optional(
        choice(['lean', 'full'], {
          description:
            'Which tools models and MCP clients see at once. lean: of the tools that come with Pegboard the usual ones; the others are found by search and can be called. full: all.',
          default: 'lean',
        }),
      ),
      showTools: Type.Optional(
        textList({
          description: 'Tools that lean lists as well: ids, bare names, modules or patterns.',
          examples: [['self', 'watchers', 'http.http_get']],
        }),
      ),
      presets: Type.Optional(
        mapOf(
          closed({
            description: Type.Optional(Type.String({ description: 'What it is for.' })),
            tools: Type.Optional(
              textList({ description: 'Only tools that match one of these patterns. All when absent.' }),
            ),
            block: Type.Optional(textList({ description: 'No tools that match one of these patterns.' })),
          }),
          { description: 'Selections of tools by name, for `pegboard serve --preset` and /mcp/<preset>.' },
        ),
      ),
      state: Type.Optional(
        Type.String({
          description:
            'The Postgres database that keeps conversations, memory, schedules and everything else that grows, where several hosts share it. Absent: the SQLite file data/pegboard.db. Holds from the next start on.',
          pattern: '^(postgres(ql)?://|\\$\\{)',
          examples: ['postgres://pegboard:${PGPASSWORD}@db.example.com/pegboard'],
        }),
      ),
      models: Type.Optional(models),
      spend: Type.Optional(spend),
      serve: Type.Optional(
        closed(
          {
            mode: Type.Optional(
              choice(['auto', 'direct', 'compact', 'compact_direct', 'discovery'], {
                description:
                  'How clients are shown the tools: all with their schemas, by name and one line, or behind a search. auto: what the context window admits, and direct for clients that defer tools themselves.',
                default: 'auto',
              }),
            ),
            preset: Type.Optional(
              choice(['lean', 'full'], {
                description: "Which tools clients see at once. The home's preset when absent.",
              }),
            ),
            contextWindow: Type.Optional(
              Type.Integer({
                description: "Assumed tokens of clients' models; a fifth of them may go to tools.",
                minimum: 1000,
                default: 200000,
              }),
            ),
            token: Type.Optional(
              text({
                description:
                  'The bearer token that clients send; ${NAME} keeps it out of the file. Absent: one that is kept in data/serve-token.',
              }),
            ),
            firstListTimeout: Type.Optional(
              Type.Number({
                description: 'Seconds that the first list waits for servers that were never connected.',
                minimum: 0,
                default: 3,
              }),
            ),
            allowedHosts: Type.Optional(
              textList({ description: 'Host headers to accept beside the loopback names, with port.' }),
            ),
            allowedOrigins: Type.Optional(textList({ description: 'Web pages that may connect.' })),
            oauth: Type.Optional(
              closed(
                {
                  publicUrl: address({
                    description:
                      'The address by which clients reach this server: https:// without a path, or http:// on this machine.',
                  }),
                },
                {
                  description:
                    'Lets clients log in that take no token, such as those on the web. You approve each with a code.',
                },
              ),
            ),
          },
          { description: 'Pegboard as an MCP server.' },
        ),
      ),
      plugins: Type.Optional(
        mapOf(
          closed({
            enabled: Type.Optional(Type.Boolean({ description: "false: it isn't loaded.", default: true })),
            package: Type.Optional(
              text({
                description:
                  'The npm package that it comes in, installed in the home, instead of a folder in plugins/.',
              }),
            ),
            trusted: Type.Optional(
              Type.Boolean({
                description:
                  'true: its code runs whatever is in it, now and after every change. Otherwise `pegboard approvals allow` approves it as it is.',
                default: false,
              }),
            ),
            config: Type.Optional(
              anyMap({ description: 'Its settings, as its plugin.yaml describes them.' }),
            ),
          }),
          { description: 'Plugins by id.' },
        ),
      ),
      spaces: Type.Optional(
        mapOf(
          closed({
            trusted: Type.Optional(
              Type.Boolean({
                description:
                  "true: its files are used whatever is in them, now and after every change. false: it stays as you approved it with `pegboard approvals allow`, and what changes waits for your approval. Without it, a clone of somebody's space is treated as with false, any other space as with true.",
              }),
            ),
          }),
          { description: 'Spaces by the names of their folders.' },
        ),
      ),
    },
    {
      title: 'Pegboard configuration',
      description: 'pegboard.yaml of a home. Every text may use ${NAME} and ${NAME:-default}.',
      examples: [
        {
          name: 'home',
          mcpServers: {
            everything: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
          },
          presets: { reading: { tools: ['filesystem.read', 'filesystem.glob'] } },
        },
      ],
    },
  ),
);

export type WrittenConfig = NonNullable<Written<typeof configFormat>>;

/** The settings of one plugin. */
export type PluginSettings = NonNullable<WrittenConfig['plugins']>[string];
