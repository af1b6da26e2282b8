import { newAgent } from '../../../spaces/scaffold.ts';
import type { CommandHandler } from '../../command.ts';
import { shortPath } from '../../tools/tool-json.ts';

export const run: CommandHandler = async ({ words, options, terminal, home }) => {
  const [name = ''] = words;
  const { path, id } = await newAgent(home, name, { space: options.value('space') });
  const { out } = terminal;
  out.line(`${out.style.good('+')} ${shortPath(path, process.cwd())}`);
  out.line(`Act as it:  ${out.style.name(`pegboard tools --agent ${id}`)}`);
};
