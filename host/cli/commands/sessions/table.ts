import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json } from '../../options.ts';

/** Conversations of this home, of every channel. */
export const sessionCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'sessions',
    summary: 'List the conversations, those that say WORDS or all, the newest first',
    usage: '[WORDS…]',
    options: [
      { name: 'source', value: 'SOURCE', summary: 'Only of one channel: cli, telegram, web, schedule …' },
      { name: 'limit', short: 'n', value: 'N', summary: 'The maximum number (default: 50)' },
      json,
    ],
    examples: [`${pegboard} sessions`, `${pegboard} sessions holiday --source telegram`],
    load: () => import('./list.ts'),
  },
  {
    name: 'sessions show',
    summary: 'Show a conversation with its calls',
    usage: 'NUMBER',
    options: [json],
    examples: [`${pegboard} sessions show 12`],
    load: () => import('./show.ts'),
  },
  {
    name: 'sessions rename',
    summary: 'Give a conversation a title',
    usage: 'NUMBER TITLE…',
    examples: [`${pegboard} sessions rename 12 Holiday plans`],
    load: () => import('./rename.ts'),
  },
  {
    name: 'sessions export',
    summary: 'Write a conversation as Markdown or JSON, into a new file or on stdout',
    usage: 'NUMBER [FILE]',
    details: 'A FILE that ends with .json gets JSON, any other Markdown.',
    options: [json],
    examples: [`${pegboard} sessions export 12 holiday.md`, `${pegboard} sessions export 12 --json`],
    load: () => import('./export.ts'),
  },
];
