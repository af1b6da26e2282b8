import { globSync } from 'node:fs';
import { join } from 'node:path';
import { PegboardError } from '../../../core/errors.ts';
import type { CommandHandler } from '../../command.ts';
import { spawnShown } from '../../child-stream.ts';
import { findPlugin } from '../../home/find-plugin.ts';

/** Uses Node's test runner, in a separate process. */
export const run: CommandHandler = async (context) => {
  const { words, signal, surroundings } = context;
  const host = await context.openHost({ mcp: 'off' });
  const { id, folder } = findPlugin(host, words[0]!);
  const files = globSync('**/*.test.{ts,mts,js,mjs}', { cwd: folder, exclude: ['node_modules/**'] });
  if (files.length === 0) {
    throw new PegboardError(
      'PEG_USAGE',
      `${id} has no tests: write one as ${join(folder, `${id}.test.ts`)}.`,
    );
  }
  const argv = [process.execPath, '--import', import.meta.resolve('pegboard/offer'), '--test', ...files];
  const child = spawnShown(argv, surroundings, { cwd: folder, stdin: surroundings.stdin, signal });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on('error', (cause) => (signal.aborted ? resolve(1) : reject(cause)));
  child.on('close', (code) => resolve(code ?? 1));
  return (await promise) === 0 ? 0 : 1;
};
