import type { Command } from '../../command.ts';
import { json, yes } from '../../options.ts';

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
  {
    name: 'connect',
    home: 'makes',
    summary: 'Write Pegboard into the settings of another client, or take it out',
    usage: 'claude-code|claude-desktop|cursor|vscode|codex|windsurf|zed|opencode|gemini',
    details:
      'Shows the difference and asks. The client starts this installation for this home, with absolute paths. Comments and all else in its file stay; the file as it was is kept beside it.',
    options: [
      { name: 'remove', summary: 'Take the entry out again' },
      {
        name: 'http',
        value: '[HOST:]PORT',
        summary: 'Connect to `pegboard serve --http`, instead of starting one',
      },
      { name: 'preset', value: 'NAME', summary: 'Only this space or preset' },
      { name: 'name', value: 'NAME', summary: 'What the client calls it (pegboard)' },
      { name: 'project', summary: 'In the settings of the project here, not in your own' },
      { name: 'dry-run', summary: 'Show the difference, and change nothing' },
      { ...yes, summary: 'Make the change without asking' },
      json,
    ],
    examples: [
      'pegboard connect cursor',
      'pegboard connect codex --dry-run',
      'pegboard connect zed --remove',
    ],
    load: () => import('./connect.ts'),
  },
];
