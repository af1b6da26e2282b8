import { checkName } from 'pegboard/kit';
import type { CommandHandler } from 'pegboard/terminal';
import { offerTools } from '../tools/offer-tools.ts';
import { readCollection } from '../tools/postman/read-collection.ts';
import { readSource } from '../tools/read-source.ts';

export const run: CommandHandler = async (context) => {
  const { words, options } = context;
  const space = options.value('space');
  if (space !== undefined) checkName('a space', space);
  return await offerTools(readCollection(await readSource(words[0]!, context), space), context);
};
