import { checkName } from '../../../core/files/new-file.ts';
import type { CommandHandler } from '../../command.ts';
import { offerTools } from '../../import-tools/offer-tools.ts';
import { readCollection } from '../../import-tools/postman/read-collection.ts';
import { readSource } from '../../import-tools/read-source.ts';

export const run: CommandHandler = async (context) => {
  const { words, options } = context;
  const space = options.value('space');
  if (space !== undefined) checkName('a space', space);
  return await offerTools(readCollection(await readSource(words[0]!, context), space), context);
};
