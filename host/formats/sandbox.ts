import Type from 'typebox';
import { choice, closed, textList, type Written } from './parts.ts';

export const sandbox = Type.Union([
  choice(['off', 'workspace', 'strict']),
  closed({
    level: choice(['off', 'workspace', 'strict'], {
      description:
        'off: not confined. workspace: writes only in the workspace, and sees no secrets. strict: sees only the system and the workspace, and writes nowhere.',
    }),
    network: Type.Optional(
      Type.Union([Type.Boolean(), textList()], {
        description: 'true: programs may reach the network. A list: those of these tools.',
        default: false,
      }),
    ),
    write: Type.Optional(
      textList({
        description:
          'Folders that may be written to beside what the level says; relative to the folder of the space, or starting with ~/.',
      }),
    ),
    read: Type.Optional(
      textList({
        description:
          'Further folders that are visible, written in the same way. With workspace, only folders in /tmp, which is otherwise hidden.',
      }),
    ),
    memory: Type.Optional(
      Type.Number({ description: 'Megabytes that a command may take with all that it starts.', minimum: 1 }),
    ),
    processes: Type.Optional(
      Type.Integer({ description: 'Processes that a command may have at a time.', minimum: 1 }),
    ),
  }),
]);

/** The key `sandbox` of a file. */
export type WrittenSandbox = Written<typeof sandbox>;
