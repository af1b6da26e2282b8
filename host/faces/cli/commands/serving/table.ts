import type { Command } from '../../command.ts';

export const servingCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'serve',
    home: 'makes',
    summary: 'Be an MCP server for Claude Code, Cursor, VS Code …',
    usage: '',
    details:
      'On stdin and stdout unless --http is given. HTTP listens on this machine only unless a host is named.',
    options: [
      { name: 'stdio', summary: 'Speak on stdin and stdout (the default)' },
      { name: 'http', value: '[HOST:]PORT', summary: 'Listen on this port; 0 takes a free one' },
      { name: 'preset', value: 'NAME', summary: 'Serve only this space or preset' },
      {
        name: 'mode',
        value: 'auto|direct|compact|discovery',
        summary: 'Show clients all tools with their schemas, with one line each, or a search (auto)',
      },
    ],
    examples: ['claude mcp add pegboard -- pegboard serve', 'pegboard serve --http 3917'],
    untilStopped: true,
    load: () => import('./serve.ts'),
  },
  {
    name: 'start',
    home: 'makes',
    summary: 'Run the host until stopped; a port only when asked',
    usage: '',
    options: [{ name: 'http', value: '[HOST:]PORT', summary: 'Also be an MCP server on this port' }],
    examples: ['pegboard start', 'pegboard start --http 3917'],
    untilStopped: true,
    load: () => import('./start.ts'),
  },
  {
    name: 'dev',
    home: 'makes',
    summary: 'Run the host while you write plugins: they need no trust, and every reload is told',
    usage: '',
    options: [{ name: 'http', value: '[HOST:]PORT', summary: 'Also be an MCP server on this port' }],
    examples: ['pegboard dev'],
    untilStopped: true,
    load: () => import('./start.ts'),
  },
];
