import { defineTool, textResult, type Tool, pegboard } from 'pegboard';
import type { Watching } from '../watching.ts';
import { switchedWatcher } from './structure.ts';

export function createWatchStart(watching: Watching): Tool {
  return defineTool({
    name: 'watch_start',
    title: 'Start watcher',
    description:
      'Watches files, the result of a tool, or a web page, and does something when it changes: has an agent follow an instruction, runs a tool, or sends a message. It goes on until watch_stop, also after a restart.',
    category: 'watchers',
    aliases: ['keep an eye on'],
    tags: ['monitor', 'observe', 'poll', 'notify', 'trigger', 'on change'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    guarded: true,
    timeout: 120,
    innerCalls: [
      { tool: 'tool', args: 'args' },
      { tool: 'run_tool', args: 'run_args' },
    ],
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        files: { type: 'string', minLength: 1, maxLength: 1_000, description: 'A pattern: inbox/**/*.pdf.' },
        tool: { type: 'string', minLength: 1, description: 'A tool whose result is compared.' },
        args: { type: 'object', description: 'Its arguments.' },
        url: { type: 'string', minLength: 1, description: 'A web page.' },
        json_path: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'Only this part of a JSON result counts: items[0].price.',
        },
        interval: {
          type: 'integer',
          minimum: 5,
          maximum: 2_592_000,
          description: 'Seconds between two looks, 60. Changes of files are seen at once.',
        },
        act_on: {
          enum: ['change', 'interval'],
          description: 'Act only when something is different (default), or each time it has looked.',
        },
        instruction: {
          type: 'string',
          minLength: 1,
          maxLength: 10_000,
          description: 'What an agent is to do then. It learns what has changed.',
        },
        run_tool: { type: 'string', minLength: 1, description: 'A tool to run then.' },
        run_args: { type: 'object', description: 'Its arguments.' },
        message: {
          type: 'string',
          minLength: 1,
          maxLength: 4_000,
          description: 'A text to send to this chat then.',
        },
      },
    },
    outputSchema: switchedWatcher,
    examples: [
      { input: { files: 'inbox/*.pdf', instruction: 'Sum up the new file' } },
      { input: { url: 'https://example.org/status', interval: 300, message: 'The status page changed' } },
    ],
    async execute(args, call) {
      const [{ startWatching }, { describeWatcher }] = await Promise.all([
        import('../start.ts'),
        import('../describe.ts'),
      ]);
      const watcher = await startWatching(args, call, watching);
      watching.wake();
      const text = `${describeWatcher(watcher)}\nWatchers work while \`${pegboard} start\` runs.`;
      return textResult(text, { id: watcher.id, state: watcher.state });
    },
  });
}
