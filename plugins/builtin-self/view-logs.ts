import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  defineTool,
  PegboardError,
  textResult,
  type PluginContext,
  type Surroundings,
  type Tool,
} from 'pegboard';
import { childEnvironment, runProcess } from 'pegboard/processes';

const maxLines = 200;

export function createViewLogs(
  { home, surroundings }: Pick<PluginContext, 'home' | 'surroundings'>,
  service: string,
): Tool {
  return defineTool({
    name: 'self_view_logs',
    title: 'View own logs',
    description:
      "Shows the last lines of the host's log, optionally since a time or with a text. Without a log file, the service's journal.",
    category: 'self',
    tags: ['log', 'errors', 'journal'],
    aliases: ['self_logs'],
    annotations: { readOnlyHint: true, openWorldHint: false },
    // The log contains text from whatever failed.
    untrusted: { kind: 'file', what: 'data/logs/host.log' },
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        since: { type: 'string', description: 'ISO 8601: 2026-01-31T08:00' },
        grep: { type: 'string', minLength: 1, description: 'Only lines with this text.' },
        lines: {
          type: 'integer',
          minimum: 1,
          maximum: maxLines,
          default: 50,
          description: 'At most so many.',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['lines'],
      properties: {
        lines: {
          type: 'array',
          items: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        },
      },
    },
    async execute({ since, grep, lines = 50 }, call) {
      const from = since === undefined ? undefined : Date.parse(since);
      if (Number.isNaN(from))
        throw new PegboardError('PEG_TOOL_FAILED', `"${since}" is not a time: write 2026-01-31T08:00.`);
      const path = join(home, 'data/logs/host.log');
      const text = existsSync(path)
        ? readFileSync(path, 'utf8')
        : await journal(service, since, { env: surroundings.env, signal: call.signal });
      const matching = text
        .split('\n')
        .filter(
          (line) => line !== '' && (grep === undefined || line.toLowerCase().includes(grep.toLowerCase())),
        )
        .filter((line) => from === undefined || !(timeOf(line) < from));
      const last = matching.slice(-lines);
      return textResult(last.join('\n') || 'No line of the log matches.', {
        lines: last.map((line) => ({ text: line })),
      });
    },
  });
}

/** NaN for a line without a time, which belongs to the line before. */
function timeOf(line: string): number {
  return Date.parse(/\d{4}-\d\d-\d\dT[\d:.]+Z?/.exec(line)?.[0] ?? '');
}

async function journal(
  service: string,
  since: string | undefined,
  { env, signal }: Pick<Surroundings, 'env'> & { readonly signal: AbortSignal },
): Promise<string> {
  const ended = await runProcess({
    argv: [
      'journalctl',
      '--no-pager',
      '-u',
      service,
      '-n',
      '2000',
      ...(since === undefined ? [] : ['--since', since]),
    ],
    cwd: '/',
    environment: childEnvironment(env),
    timeoutMs: 10_000,
    signal,
  }).catch(() => undefined);
  if (ended?.exitCode === 0) return ended.stdout;
  throw new PegboardError('PEG_TOOL_FAILED', 'There is no log file yet, and no journal of the service.');
}
