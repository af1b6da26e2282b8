import { checkName } from '../../../core/files/new-file.ts';
import type { CommandHandler } from '../../command.ts';
import { offerTools } from '../../import-tools/offer-tools.ts';
import { readApi } from '../../import-tools/openapi/read-api.ts';
import { readSource } from '../../import-tools/read-source.ts';
import { usageError } from '../../parse.ts';

/** More tools than this are hard to choose from, for models and people. */
const usualLimit = 100;

export const run: CommandHandler = async (context) => {
  const { words, options, command } = context;
  const space = options.value('space');
  if (space !== undefined) checkName('a space', space);
  const limit = Number(options.value('limit') ?? usualLimit);
  if (!Number.isInteger(limit) || limit < 1)
    throw usageError(command, '--limit must be a whole number above 0.');
  const source = await readSource(words[0]!, context);
  const plan = await readApi(source, {
    space,
    server: options.value('server'),
    tags: options.values('tag'),
    paths: options.values('path'),
    only: options.values('only'),
    limit,
  });
  return await offerTools(plan, context);
};
