import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json, yes, type Option } from '../../options.ts';

const registry: Option = {
  name: 'registry',
  value: 'URL|FILE',
  summary: 'Use this registry instead of the one in pegboard.yaml',
};

export const mcpServerCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'mcp list',
    summary: 'List the configured servers and their state',
    usage: '',
    options: [json],
    examples: [`${pegboard} mcp list`],
    load: () => import('./mcp-list.ts'),
  },
  {
    name: 'mcp add',
    home: 'makes',
    summary: 'Connect a server: a name in the registry, a URL, or a command after --',
    usage: 'NAME [URL]',
    takesProgram: true,
    details:
      "Writes pegboard.yaml (in a clone pegboard.local.yaml), keeping its comments, then connects and shows the tools. Values may refer to environment variables: 'Authorization: Bearer ${TOKEN}'. A name alone, or NAME@VERSION, is looked up in the MCP registry; what would run is shown, and you are asked.",
    options: [
      {
        name: 'env',
        short: 'e',
        value: 'NAME=VALUE',
        multiple: true,
        summary: 'An environment variable for the server',
      },
      { name: 'header', short: 'H', value: "'NAME: VALUE'", multiple: true, summary: 'An HTTP header' },
      { name: 'cwd', value: 'DIR', summary: 'The working directory of the command' },
      { name: 'force', summary: 'Replace a server of the same name' },
      { name: 'as', value: 'NAME', summary: 'The name to use here for a server of the registry' },
      {
        name: 'from',
        value: 'npm|pypi|oci|nuget|remote',
        summary: 'Which of its packages to run, or "remote" for its URL',
      },
      { name: 'arg', value: 'NAME=VALUE', multiple: true, summary: 'The value of one of its arguments' },
      registry,
      { ...yes, summary: 'Add the server without asking' },
      json,
    ],
    examples: [
      `${pegboard} mcp add io.github.owner/weather`,
      `${pegboard} mcp add everything -- npx -y @modelcontextprotocol/server-everything`,
      `${pegboard} mcp add github https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer \${GITHUB_TOKEN}'`,
    ],
    load: () => import('./mcp-add.ts'),
  },
  {
    name: 'mcp remove',
    summary: 'Remove a server from the configuration',
    usage: 'SERVER',
    examples: [`${pegboard} mcp remove everything`],
    load: () => import('./mcp-remove.ts'),
  },
  {
    name: 'mcp search',
    summary: 'Search the MCP registry for servers',
    usage: 'WORDS…',
    home: 'reads',
    options: [
      { name: 'limit', short: 'k', value: 'N', summary: 'The maximum number of results (default: 20)' },
      registry,
      json,
    ],
    examples: [`${pegboard} mcp search github`, `${pegboard} mcp search weather --json`],
    load: () => import('./mcp-search.ts'),
  },
  {
    name: 'mcp approve',
    summary: 'Review and approve tools that are new or changed',
    usage: 'SERVER [TOOL…]',
    options: [{ ...yes, summary: 'Approve what is shown without asking' }],
    examples: [`${pegboard} mcp approve everything`],
    load: () => import('./mcp-approve.ts'),
  },
  {
    name: 'mcp login',
    summary: 'Sign in to a server with OAuth',
    usage: 'SERVER',
    examples: [`${pegboard} mcp login linear`],
    load: () => import('./mcp-login.ts'),
  },
];
