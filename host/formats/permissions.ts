/** `permissions`, in pegboard.yaml and in agents' files. */
import Type from 'typebox';
import { closed, mapOf, type Written } from './parts.ts';

const rules = (description: string, example: string) =>
  Type.Optional(
    Type.Array(
      Type.String({
        description: 'A tool, by its id, bare name or a pattern, and in brackets which of its calls.',
        pattern: '^[^\\s()]+(\\(.+\\))?$',
        examples: [example],
      }),
      { description },
    ),
  );

const lists = {
  allow: rules('Calls that need no question of their own.', 'bash(git status *)'),
  ask: rules('Calls that are asked about every time.', 'bash(git push *)'),
  deny: rules('Calls that are refused.', 'write(notes/archive/**)'),
};

const order = 'Those that deny come first, then those that ask, then those that allow.';

export const agentPermissions = closed(lists, { description: `Rules for its calls. ${order}` });

export const homePermissions = closed(
  {
    ...lists,
    agents: Type.Optional(mapOf(agentPermissions, { description: 'Rules for single agents, by their ids.' })),
  },
  { description: `Rules for calls of all agents, clients and yourself. ${order}` },
);

export type WrittenPermissions = Written<typeof agentPermissions>;
