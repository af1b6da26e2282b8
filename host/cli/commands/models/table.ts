import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json } from '../../options.ts';

const provider = { name: 'provider', value: 'NAME', summary: 'Show only the models of this provider' };

export const modelCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'models list',
    summary: 'List the models of the configured providers, with context window and price',
    usage: '',
    options: [provider, json],
    examples: [`${pegboard} models list`, `${pegboard} models list --provider ollama --json`],
    load: async () => ({ run: (await import('./list.ts')).runList }),
  },
  {
    name: 'models search',
    summary: 'Find models by parts of their names',
    usage: 'WORDS…',
    options: [provider, json],
    examples: [`${pegboard} models search claude sonnet`],
    load: async () => ({ run: (await import('./list.ts')).runSearch }),
  },
  {
    name: 'models test',
    summary: "Test a model, or the home's, with one short request",
    usage: '[MODEL]',
    options: [json],
    examples: [`${pegboard} models test`, `${pegboard} models test openai/gpt-5-mini`],
    load: async () => ({ run: (await import('./test.ts')).runTest }),
  },
  {
    name: 'models set',
    summary: "Test a model, and make it the home's",
    usage: 'MODEL',
    details: 'A model that fails the test is not set, unless --anyway is given.',
    options: [{ name: 'anyway', summary: 'Set it without a test' }, json],
    home: 'makes',
    examples: [`${pegboard} models set openai/gpt-5-mini`, `${pegboard} models set ollama/llama3.2 --anyway`],
    load: async () => ({ run: (await import('./test.ts')).runSet }),
  },
];
