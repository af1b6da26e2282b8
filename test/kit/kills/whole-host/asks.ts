import { fileText } from '../done.ts';

/** The calls that the model makes before it answers the question with this number. */
export interface ScriptedUse {
  readonly name: string;
  readonly arguments: { readonly [name: string]: unknown };
}

/**
 * Cycles through every kind of work: a Markdown tool, memory, MCP, a job, schedules, a plugin, files, several at once.
 */
export function usesOf(ask: number): readonly ScriptedUse[] {
  const text = `ask ${ask}`;
  const note = { name: 'note', arguments: { text } };
  const memory = {
    name: 'memory_store',
    arguments: { content: `what was said in number ${ask}, killed`, category: 'note', tags: ['killed'] },
  };
  switch (ask % 12) {
    case 1:
      return [note];
    case 2:
    case 8:
      return [memory];
    case 3:
      return [{ name: 'counter__count', arguments: { text } }];
    case 4:
      return [job('later', { text })];
    case 5:
      return [
        {
          name: 'schedule_create',
          arguments: { instruction: `once ${ask}`, run_at: 'in 1 second', allow_duplicate: true },
        },
      ];
    case 6:
      return [{ name: 'tally_mark', arguments: { text } }];
    case 7:
      return [{ name: 'write', arguments: { path: `note-${ask}.txt`, content: fileText(ask) } }];
    case 9:
      return [note, memory, { name: 'counter__count', arguments: { text } }];
    case 10:
      return [job('hang', {})];
    default:
      return [];
  }
}

const job = (tool: string, params: object): ScriptedUse => ({
  name: 'background_run',
  arguments: { mode: 'start', tool, params },
});

/** Every fourth answer is long enough for several messages. */
export const answerTo = (ask: number): string =>
  `answer ${ask}.${ask % 4 === 3 ? ` ${'word '.repeat(1_200)}` : ''}`;
