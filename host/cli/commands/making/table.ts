import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json, yes } from '../../options.ts';

export const makingCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'lint',
    summary: 'Check manifests and configuration; the exit code is 1 if there are errors',
    usage: '[PATH…]',
    options: [json],
    home: 'reads',
    examples: [`${pegboard} lint`, `${pegboard} lint spaces/example --json`],
    load: () => import('./lint.ts'),
  },
  {
    name: 'new tool',
    home: 'makes',
    summary: 'Create a working tool to start from',
    usage: 'NAME',
    options: [{ name: 'space', value: 'SPACE', summary: 'The space it goes into (default: personal)' }],
    examples: [`${pegboard} new tool deploy`, `${pegboard} new tool deploy --space work`],
    load: async () => ({ run: (await import('./new.ts')).runNewTool }),
  },
  {
    name: 'new plugin',
    home: 'makes',
    summary: 'Create a working plugin with a test, to start from',
    usage: 'NAME',
    examples: [`${pegboard} new plugin dice`],
    load: async () => ({ run: (await import('./new.ts')).runNewPlugin }),
  },
  {
    name: 'test-plugin',
    summary: "Run a plugin's own tests (*.test.ts in its folder)",
    usage: 'PLUGIN',
    examples: [`${pegboard} test-plugin dice`],
    load: () => import('./test-plugin.ts'),
  },
  {
    name: 'new agent',
    home: 'makes',
    summary: 'Create an agent to start from',
    usage: 'NAME',
    options: [{ name: 'space', value: 'SPACE', summary: 'The space it works in (default: personal)' }],
    examples: [`${pegboard} new agent researcher`, `${pegboard} new agent reviewer --space work`],
    load: async () => ({ run: (await import('./new.ts')).runNewAgent }),
  },
  {
    name: 'new skill',
    home: 'makes',
    summary: 'Create a skill to start from: instructions that agents follow',
    usage: 'NAME',
    options: [
      { name: 'space', value: 'SPACE', summary: 'The space whose agents get it (default: personal)' },
    ],
    examples: [`${pegboard} new skill daily-standup`, `${pegboard} new skill release --space work`],
    load: async () => ({ run: (await import('./new.ts')).runNewSkill }),
  },
  {
    name: 'new space',
    home: 'makes',
    summary: 'Create a space with a first tool',
    usage: 'NAME',
    examples: [`${pegboard} new space work`],
    load: async () => ({ run: (await import('./new.ts')).runNewSpace }),
  },
  {
    name: 'test-tools',
    summary: 'Run the examples in tools and compare their results',
    usage: '[TOOL…]',
    options: [yes, json],
    examples: [`${pegboard} test-tools`, `${pegboard} test-tools example.greet`],
    load: () => import('./test-tools.ts'),
  },
];
