import { newTool } from '../../../sources/manifests/files/scaffold.ts';
import type { CommandHandler } from '../../command.ts';
import { shortPath } from '../../tools/tool-json.ts';

export const run: CommandHandler = async ({ words, options, terminal, home }) => {
  const [name = ''] = words;
  const space = options.value('space');
  const path = await newTool(home, name, { space });
  const { out } = terminal;
  out.line(`${out.style.good('+')} ${shortPath(path, process.cwd())}`);
  out.line(
    `It works already:  ${out.style.name(`pegboard call ${space === undefined ? '' : `${space}.`}${name}`)}`,
  );
};
