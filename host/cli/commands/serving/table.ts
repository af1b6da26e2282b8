import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json, yes } from '../../options.ts';

export const servingCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'start',
    home: 'makes',
    summary: 'Run the host until it is stopped',
    usage: '',
    options: [{ name: 'http', value: '[HOST:]PORT', summary: 'Also serve the page and MCP on this port' }],
    examples: [`${pegboard} start`, `${pegboard} start --http 3917`],
    untilStopped: true,
    load: () => import('./start.ts'),
  },
  {
    name: 'hosts',
    summary: 'List the hosts of this home with their roles, and what waits in the queues for how long',
    usage: '',
    details:
      'A host is a process that works on what waits: `start`, and what serves the page. On Postgres, those of all machines are listed.',
    options: [json],
    examples: [`${pegboard} hosts`, `${pegboard} hosts --json`],
    load: () => import('./hosts.ts'),
  },
  {
    name: 'dev',
    home: 'makes',
    summary: 'Run the host while you write plugins: they need no trust, and every reload is reported',
    usage: '',
    options: [{ name: 'http', value: '[HOST:]PORT', summary: 'Also serve MCP over HTTP on this port' }],
    examples: [`${pegboard} dev`],
    untilStopped: true,
    load: () => import('./start.ts'),
  },
  {
    name: 'connect',
    home: 'makes',
    summary: 'Add Pegboard to the settings of another client, or remove it',
    usage: 'claude-code|claude-desktop|cursor|vscode|codex|windsurf|zed|opencode|gemini',
    details:
      'Shows the difference and asks. The client starts this installation for this home, by absolute paths. The rest of its file stays as it is, comments too; a copy of the old file is kept beside it.',
    options: [
      { name: 'remove', summary: 'Remove the entry' },
      {
        name: 'http',
        value: '[HOST:]PORT',
        summary: `Connect to \`${pegboard} serve --http\` instead of starting a process`,
      },
      { name: 'preset', value: 'NAME', summary: 'Offer only this space or preset' },
      { name: 'name', value: 'NAME', summary: 'The name of the entry (default: pegboard)' },
      { name: 'project', summary: 'Change the settings of the current project instead of your own' },
      { name: 'dry-run', summary: 'Show the difference without changing anything' },
      { ...yes, summary: 'Make the change without asking' },
      json,
    ],
    examples: [
      `${pegboard} connect cursor`,
      `${pegboard} connect codex --dry-run`,
      `${pegboard} connect zed --remove`,
    ],
    load: () => import('./connect.ts'),
  },
];
