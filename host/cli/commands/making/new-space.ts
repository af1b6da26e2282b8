import { newSpace } from '../../../sources/manifests/files/scaffold.ts';
import type { CommandHandler } from '../../command.ts';
import { shortPath } from '../../tools/tool-json.ts';

export const run: CommandHandler = async ({ words, terminal, home }) => {
  const [name = ''] = words;
  const folder = await newSpace(home, name);
  const { out } = terminal;
  out.line(`${out.style.good('+')} ${shortPath(folder, process.cwd())}`);
  out.line(`It has a first tool:  ${out.style.name(`pegboard tools ${name}`)}`);
};
