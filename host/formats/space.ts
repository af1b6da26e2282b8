/** spaces/<space>/space.manifest.json. */
import Type from 'typebox';
import { closed, described, id, text, textList, type Written } from './parts.ts';
import { sandbox } from './sandbox.ts';
import { toolFormat } from './tool.ts';

export const spaceFormat = closed(
  {
    $schema: Type.Optional(Type.String({ description: 'For editors.' })),
    id: Type.Optional(
      id({
        description:
          "The space's id: the name of its folder, which it is when absent, and the first half of its tools' ids.",
      }),
    ),
    name: Type.Optional(text({ description: 'For people: a title.' })),
    description: Type.Optional(
      text({ description: 'What the space and its tools are for, in a sentence; searched.' }),
    ),
    tools: Type.Optional(Type.Array(toolFormat, { description: 'Tools, written as in a manifest file.' })),
    blockedTools: Type.Optional(
      textList({
        description:
          "Tools that this space's agents may not use: ids, bare names or patterns such as filesystem.*",
      }),
    ),
    sandbox: Type.Optional(
      described(sandbox, {
        description: "What the commands of this space's tools are confined to, whoever calls them.",
      }),
    ),
  },
  {
    title: 'Pegboard space manifest',
    description: 'spaces/<space>/space.manifest.json: who the space is, and command tools of it.',
    examples: [
      {
        id: 'example',
        name: 'Example',
        description: 'Shows what tools can be',
        tools: [
          {
            id: 'uptime',
            name: 'Uptime',
            description: 'How long this machine has been running',
            command: 'uptime',
          },
        ],
      },
    ],
  },
);

export type WrittenSpace = Written<typeof spaceFormat>;
