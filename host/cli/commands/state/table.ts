import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json, yes } from '../../options.ts';

/** Where a home's state is kept, copied, and shared. */
export const stateCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'backup',
    summary: 'Copy this home without its secrets, even while it is running',
    usage: '[FOLDER]',
    options: [json],
    examples: [`${pegboard} backup`, `${pegboard} backup ~/pegboard-backup`],
    load: () => import('./backup.ts'),
  },
  {
    name: 'restore',
    home: 'makes',
    summary: 'Restore a backup; the present files are moved aside',
    usage: 'FOLDER',
    examples: [`${pegboard} restore ~/pegboard-backup`],
    load: () => import('./restore.ts'),
  },
  {
    name: 'move',
    summary: 'Move the state of this home to a Postgres server, or back into a file',
    usage: '',
    details:
      'Stop every host first. Copies everything in one transaction, compares each table, and changes `state` in pegboard.yaml last. What was there is kept. If a step fails, everything is as before.',
    options: [
      { name: 'to', value: 'URL', summary: 'postgres://USER:PASSWORD@HOST:5432/DATABASE, or sqlite' },
      { name: 'dry-run', summary: 'Only show what would be copied' },
      yes,
      json,
    ],
    examples: [
      `${pegboard} move --to 'postgres://pegboard:\${PG_PASSWORD}@db.example.com:5432/pegboard'`,
      `${pegboard} move --to sqlite --dry-run`,
    ],
    load: () => import('./move.ts'),
  },
];
