import { newPlugin } from '../../../plugins/scaffold.ts';
import type { CommandHandler } from '../../command.ts';
import { shortPath } from '../../tools/tool-json.ts';

export const run: CommandHandler = async ({ words, terminal, home }) => {
  const [name = ''] = words;
  const folder = await newPlugin(home, name);
  const { out } = terminal;
  const shown = shortPath(folder, process.cwd());
  out.line(`${out.style.good('+')} ${shown}`);
  out.line(
    `Try it:     ${out.style.name(`pegboard approvals allow ${name} && pegboard call ${name}.greet name=Ada`)}`,
  );
  out.line(`Test it:    ${out.style.name(`pegboard test-plugin ${name}`)}`);
  out.line(`Change it:  ${out.style.name('pegboard dev')} reloads it with every save`);
};
