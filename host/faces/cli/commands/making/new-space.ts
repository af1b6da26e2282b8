import { newSpace } from '../../../../sources/manifests/scaffold.ts';
import type { Run } from '../../command.ts';
import { shortPath } from '../../tool-json.ts';

export const run: Run = async ({ words, terminal, home }) => {
  const [name = ''] = words;
  const folder = await newSpace(home, name);
  const { out } = terminal;
  out.line(`${out.style.good('+')} ${shortPath(folder, process.cwd())}`);
  out.line(`It has a first tool:  ${out.style.name(`pegboard tools ${name}`)}`);
};
