import { basename, resolve } from 'node:path';
import { checkName } from '../../../core/files/new-file.ts';
import type { CommandHandler } from '../../command.ts';
import { toId } from '../../import-tools/names.ts';
import { offerTools } from '../../import-tools/offer-tools.ts';
import { findScripts } from '../../import-tools/scripts/find-scripts.ts';

export const run: CommandHandler = async (context) => {
  const { words, options, home } = context;
  const folder = resolve(words[0] ?? '.');
  const space = options.value('space') ?? (toId(basename(folder)) || 'scripts');
  checkName('a space', space);
  const { tools, leftOut } = findScripts(folder, { home, space, confirm: !options.flag('no-confirm') });
  return await offerTools({ source: folder, space, tools, secrets: [], notes: [], leftOut }, context);
};
