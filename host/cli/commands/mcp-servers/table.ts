import type { Command } from '../../command.ts';
import { json, yes, type Option } from '../../options.ts';

const registry: Option = {
  name: 'registry',
  value: 'URL|FILE',
  summary: 'Look there instead of where pegboard.yaml says',
};

export const mcpServerCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'mcp list',
    summary: 'List the configured servers and how they are',
    usage: '',
    options: [json],
    examples: ['pegboard mcp list'],
    load: () => import('./mcp-list.ts'),
  },
  {
    name: 'mcp add',
    home: 'makes',
    summary: 'Connect a server: of the registry, a command after --, or a URL',
    usage: 'NAME [URL]',
    takesProgram: true,
    details:
      "Writes pegboard.yaml, keeping its comments, then connects and shows the tools. A value may refer to an environment variable: 'Authorization: Bearer ${TOKEN}'. A name alone is looked up in the MCP registry, in a version with NAME@VERSION: what would run is shown, and asked about.",
    options: [
      { name: 'env', short: 'e', value: 'NAME=VALUE', multiple: true, summary: "A variable of the server's" },
      { name: 'header', short: 'H', value: "'NAME: VALUE'", multiple: true, summary: 'An HTTP header' },
      { name: 'cwd', value: 'DIR', summary: 'Where the command runs' },
      { name: 'force', summary: 'Replace a server of the same name' },
      { name: 'as', value: 'NAME', summary: 'What a server of the registry is called here' },
      { name: 'from', value: 'npm|pypi|oci|nuget|remote', summary: 'Which of its packages, or its address' },
      { name: 'arg', value: 'NAME=VALUE', multiple: true, summary: 'What one of its arguments is' },
      registry,
      { ...yes, summary: 'Add what is shown without asking' },
      json,
    ],
    examples: [
      'pegboard mcp add io.github.owner/weather',
      'pegboard mcp add everything -- npx -y @modelcontextprotocol/server-everything',
      "pegboard mcp add github https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer ${GITHUB_TOKEN}'",
    ],
    load: () => import('./mcp-add.ts'),
  },
  {
    name: 'mcp remove',
    summary: 'Disconnect a server for good',
    usage: 'SERVER',
    examples: ['pegboard mcp remove everything'],
    load: () => import('./mcp-remove.ts'),
  },
  {
    name: 'mcp search',
    summary: 'Look for servers in the MCP registry',
    usage: 'WORDS…',
    home: 'reads',
    options: [{ name: 'limit', short: 'k', value: 'N', summary: 'At most so many (20)' }, registry, json],
    examples: ['pegboard mcp search github', 'pegboard mcp search weather --json'],
    load: () => import('./mcp-search.ts'),
  },
  {
    name: 'mcp approve',
    summary: 'Look at tools that are new or changed, and approve them',
    usage: 'SERVER [TOOL…]',
    options: [{ ...yes, summary: 'Approve what is shown without asking' }],
    examples: ['pegboard mcp approve everything'],
    load: () => import('./mcp-approve.ts'),
  },
  {
    name: 'mcp import',
    home: 'makes',
    summary: 'Take over servers that other clients have configured',
    usage: '[NAME…]',
    options: [
      { name: 'from', value: 'FILE', summary: 'Read this file, of whatever client' },
      { ...yes, summary: 'Take over all of them without asking' },
      json,
    ],
    examples: [
      'pegboard mcp import',
      'pegboard mcp import github --yes',
      'pegboard mcp import --from mcp.json',
    ],
    load: () => import('./mcp-import.ts'),
  },
  {
    name: 'mcp login',
    summary: 'Sign in to a server with OAuth',
    usage: 'SERVER',
    examples: ['pegboard mcp login linear'],
    load: () => import('./mcp-login.ts'),
  },
];
