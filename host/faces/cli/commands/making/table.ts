import type { Command } from '../../command.ts';
import { json, yes } from '../../options.ts';

export const makingCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'lint',
    summary: 'Check manifests and config; exit 1 if anything is an error',
    usage: '[PATH…]',
    options: [json],
    home: 'reads',
    examples: ['pegboard lint', 'pegboard lint spaces/example --json'],
    load: () => import('./lint.ts'),
  },
  {
    name: 'new tool',
    summary: 'Write a working tool to start from',
    usage: 'NAME',
    options: [{ name: 'space', value: 'SPACE', summary: 'The space it goes into (personal)' }],
    examples: ['pegboard new tool deploy', 'pegboard new tool deploy --space work'],
    load: () => import('./new-tool.ts'),
  },
  {
    name: 'new plugin',
    summary: 'Write a working plugin, with a test, to start from',
    usage: 'NAME',
    examples: ['pegboard new plugin dice'],
    load: () => import('./new-plugin.ts'),
  },
  {
    name: 'test-plugin',
    summary: "Run a plugin's own tests (*.test.ts in its folder)",
    usage: 'PLUGIN',
    examples: ['pegboard test-plugin dice'],
    load: () => import('./test-plugin.ts'),
  },
  {
    name: 'new agent',
    summary: 'Write an agent to start from',
    usage: 'NAME',
    options: [{ name: 'space', value: 'SPACE', summary: 'The space it works in (personal)' }],
    examples: ['pegboard new agent researcher', 'pegboard new agent reviewer --space work'],
    load: () => import('./new-agent.ts'),
  },
  {
    name: 'new skill',
    summary: 'Write a skill to start from: instructions that agents follow',
    usage: 'NAME',
    options: [{ name: 'space', value: 'SPACE', summary: 'The space whose agents get it (personal)' }],
    examples: ['pegboard new skill daily-standup', 'pegboard new skill release --space work'],
    load: () => import('./new-skill.ts'),
  },
  {
    name: 'new space',
    summary: 'Make a space with a first tool',
    usage: 'NAME',
    examples: ['pegboard new space work'],
    load: () => import('./new-space.ts'),
  },
  {
    name: 'test-tools',
    summary: 'Run the examples that tools carry, and compare what comes out',
    usage: '[TOOL…]',
    options: [yes, json],
    examples: ['pegboard test-tools', 'pegboard test-tools example.greet'],
    load: () => import('./test-tools.ts'),
  },
];
