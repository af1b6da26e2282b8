import { checkName } from 'pegboard/kit';
import { type CommandHandler, usageError } from 'pegboard/terminal';
import { offerTools } from '../tools/offer-tools.ts';
import { readApi } from '../tools/openapi/read-api.ts';
import { readSource } from '../tools/read-source.ts';

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
