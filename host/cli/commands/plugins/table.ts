import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json, yes } from '../../options.ts';

const dryRun = { name: 'dry-run', summary: 'Show everything, and change nothing' };

export const pluginCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'plugins list',
    summary: 'List the plugins, their state and where they came from',
    usage: '',
    options: [json],
    examples: [`${pegboard} plugins`, `${pegboard} plugins list --json`],
    load: () => import('./list.ts'),
  },
  {
    name: 'plugins add',
    summary: "Add a plugin from npm's registry, a git repository or a folder",
    usage: 'npm:NAME|git:URL|PATH',
    details:
      "It is fetched without running anything of it, and shown: where it came from, what it asks for, its packages and files. After a Yes it is copied into plugins/, and its code is trusted as it is. npm's own settings say which registry is used. Git repositories are read over https or ssh.",
    options: [dryRun, { ...yes, summary: 'Add it, and trust its code, without asking' }, json],
    home: 'makes',
    examples: [
      `${pegboard} plugins add npm:pegboard-plugin-dice`,
      `${pegboard} plugins add npm:@ada/dice@^1.2.0 --dry-run`,
      `${pegboard} plugins add git:https://github.com/ada/dice#v1.2.0`,
      `${pegboard} plugins add ../dice`,
    ],
    load: () => import('./add.ts'),
  },
  {
    name: 'plugins update',
    summary: 'Update plugins that came from elsewhere; without PLUGIN, all of them',
    usage: '[PLUGIN…]',
    details:
      'What changed is shown, and you are asked again. If the new version does not start, the one before is put back.',
    options: [dryRun, { ...yes, summary: 'Update, and trust the new code, without asking' }, json],
    examples: [`${pegboard} plugins update dice`, `${pegboard} plugins update --dry-run`],
    load: () => import('./update.ts'),
  },
  {
    name: 'plugins remove',
    summary: 'Remove a plugin that came from elsewhere',
    usage: 'PLUGIN',
    options: [
      { name: 'data', summary: 'Delete its tables and settings too; asks first' },
      dryRun,
      { ...yes, summary: 'With --data: delete without asking' },
      json,
    ],
    examples: [`${pegboard} plugins remove dice`, `${pegboard} plugins remove dice --data`],
    load: () => import('./remove.ts'),
  },
  {
    name: 'plugins enable',
    home: 'makes',
    summary: 'Enable a plugin that was disabled',
    usage: 'PLUGIN',
    examples: [`${pegboard} plugins enable dice`],
    load: () => import('./enable.ts'),
  },
  {
    name: 'plugins disable',
    summary: 'Disable a plugin, so that it is not loaded',
    usage: 'PLUGIN',
    examples: [`${pegboard} plugins disable dice`],
    load: () => import('./enable.ts'),
  },
  {
    name: 'plugins reload',
    summary: 'Reload a plugin in every running host of this home',
    usage: 'PLUGIN',
    examples: [`${pegboard} plugins reload dice`],
    load: () => import('./reload.ts'),
  },
];
