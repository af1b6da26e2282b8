import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json } from '../../options.ts';

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
];
