import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { checkName } from 'pegboard/kit';
import { absolutePath, type CommandHandler } from 'pegboard/terminal';
import { toId } from '../tools/names.ts';
import { offerTools } from '../tools/offer-tools.ts';
import { findScripts } from '../tools/scripts/find-scripts.ts';

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
