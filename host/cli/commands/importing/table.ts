import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json, type Option } from '../../options.ts';

const common: readonly Option[] = [
  { name: 'dry-run', summary: 'Show what would be written, and change nothing' },
  { name: 'yes', short: 'y', summary: 'Write without asking' },
  json,
];
const space = (usual: string): Option => ({
  name: 'space',
  value: 'SPACE',
  summary: `The space that the tools go into (default: ${usual})`,
});

export const importingCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: 'import openapi',
    home: 'makes',
    summary: 'Make tools of the operations of an OpenAPI document, version 3.0 to 3.2',
    usage: 'FILE|URL',
    details:
      'Each operation becomes a manifest with an HTTP request. Those that change something ask before they run, and keys become secrets. Files that you have changed are kept.',
    options: [
      { name: 'tag', value: 'TAG', multiple: true, summary: 'Only operations with this tag' },
      {
        name: 'path',
        value: 'PATH',
        multiple: true,
        summary: 'Only operations of this path and those below it; * matches anything',
      },
      {
        name: 'only',
        value: 'NAME',
        multiple: true,
        summary: 'Only the tool of this name; * matches anything',
      },
      { name: 'limit', value: 'N', summary: 'How many tools may be made at once (default: 100)' },
      { name: 'server', value: 'URL', summary: 'Where requests go, instead of what the document says' },
      space('named after the document'),
      ...common,
    ],
    examples: [
      `${pegboard} import openapi petstore.yaml --dry-run`,
      `${pegboard} import openapi https://api.example.com/openapi.json --tag pets`,
    ],
    load: () => import('./openapi.ts'),
  },
  {
    name: 'import scripts',
    home: 'makes',
    summary: 'Make tools of what a folder offers to run: package.json, Makefile, justfile, Taskfile',
    usage: '[PLACE]',
    details: 'Nothing in the folder is run or changed. Every tool asks before it runs.',
    options: [
      { name: 'no-confirm', summary: "The tools don't ask, unless a value could become program text" },
      space('named after the folder'),
      ...common,
    ],
    examples: [`${pegboard} import scripts`, `${pegboard} import scripts ~/projects/shop --dry-run`],
    load: () => import('./scripts.ts'),
  },
  {
    name: 'import curl',
    home: 'makes',
    summary: 'Make a tool of a curl command, in quotes, after -- or on stdin',
    usage: '[COMMAND]',
    details:
      'What its query and body hold become parameters with these values. Keys and passwords become secrets, which are stored only if you say so. Nothing is sent.',
    takesProgram: true,
    options: [
      { name: 'name', value: 'NAME', summary: "The tool's name (default: made of method and path)" },
      space('personal'),
      ...common,
    ],
    examples: [
      `${pegboard} import curl "curl 'https://api.example.com/pets?limit=10'" --name list-pets`,
      `${pegboard} import curl -- curl -X POST https://api.example.com/pets -d name=Rex`,
    ],
    load: () => import('./curl.ts'),
  },
  {
    name: 'import postman',
    home: 'makes',
    summary: 'Make tools of the requests of a Postman collection, version 2.1',
    usage: 'FILE|URL',
    details:
      'Folders stay folders, and variables become parameters or, where they are secret, secrets. Scripts of the collection are not run.',
    options: [space('named after the collection'), ...common],
    examples: [`${pegboard} import postman shop.postman_collection.json`],
    load: () => import('./postman.ts'),
  },
];
