import { newSkill } from '../../../spaces/scaffold.ts';
import type { CommandHandler } from '../../command.ts';
import { shortPath } from '../../tools/tool-json.ts';

export const run: CommandHandler = async ({ words, options, terminal, home }) => {
  const [name = ''] = words;
  const path = await newSkill(home, name, { space: options.value('space') });
  const { out } = terminal;
  out.line(`${out.style.good('+')} ${shortPath(path, process.cwd())}`);
  out.line(`Read it as a model does:  ${out.style.name(`pegboard call use_skill name=${name}`)}`);
};
