import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { absolutePath } from '../../absolute-path.ts';
import { checkName } from '../../../core/files/new-file.ts';
import type { CommandHandler } from '../../command.ts';
import { toId } from '../../import-tools/names.ts';
import { offerTools } from '../../import-tools/offer-tools.ts';
import { findScripts } from '../../import-tools/scripts/find-scripts.ts';

export const run: CommandHandler = async (context) => {
  const { words, options, home } = context;
  const place = absolutePath(words[0] ?? '.', context.surroundings);
  const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() === true;
  const folder = isFile ? dirname(place) : place;
  const space = options.value('space') ?? (toId(basename(folder)) || 'scripts');
  checkName('a space', space);
  const { tools, leftOut } = findScripts(
    { folder, file: isFile ? basename(place) : undefined },
    { home, space, confirm: !options.flag('no-confirm') },
  );
  return await offerTools(
    { format: 'scripts', source: place, space, tools, secrets: [], notes: [], leftOut },
    context,
  );
};
