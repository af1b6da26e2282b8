import { join } from 'node:path';
import { defineTool, PegboardError, textResult, type Tool } from 'pegboard';
import { childEnvironment, runProcess } from 'pegboard/processes';
import type { Project } from './project.ts';

/** Seconds. */
const timeoutSeconds = 60;

export function createRunTests(project: Project): Tool {
  return defineTool({
    name: 'self_run_tests',
    title: 'Run own tests',
    description:
      "Runs Pegboard's own tests, those of one file or folder, or those whose name holds a text. 60 seconds at most.",
    category: 'self',
    tags: ['test', 'vitest'],
    aliases: ['self_test'],
    annotations: { readOnlyHint: false, openWorldHint: false },
    timeout: timeoutSeconds + 5,
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        path: { type: 'string', minLength: 1, description: 'Below test/: test/dispatch' },
        filter: { type: 'string', minLength: 1, description: 'Text of the tests’ names.' },
      },
    },
    outputSchema: { type: 'object', required: ['output'], properties: { output: { type: 'string' } } },
    prepare: ({ path, filter }) => ({
      preview: argvOf(project, path, filter).slice(1).join(' '),
      cwd: project.root,
    }),
    async execute({ path, filter }, call) {
      const ended = await runProcess({
        argv: argvOf(project, path, filter),
        cwd: project.root,
        environment: childEnvironment(project.env, { NO_COLOR: '1' }),
        timeoutMs: timeoutSeconds * 1000,
        signal: call.signal,
      });
      const output = `${ended.stdout}\n${ended.stderr}`.trim();
      if (ended.exitCode === 0) return textResult(output, { output });
      const why =
        ended.ended === 'timeout' ? `The tests took longer than ${timeoutSeconds} s.` : 'Tests failed.';
      throw new PegboardError('PEG_COMMAND_FAILED', `${why}\n${output.slice(-8_000)}`);
    },
  });
}

function argvOf(project: Project, path: string | undefined, filter: string | undefined): readonly string[] {
  const files = path === undefined ? [] : [project.readable(path)];
  const names = filter === undefined ? [] : ['-t', filter];
  return [
    process.execPath,
    join(project.root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=verbose',
    ...names,
    ...files,
  ];
}
