import type { InjectionMode } from '../../api/agent.ts';
import { modeNamed, modeNames } from '../../tools/injection/mode-name.ts';
import type { Context } from '../command.ts';
import { usageError } from '../parse.ts';

/** `--mode`; `auto` and no option are undefined. Throws PEG_USAGE. */
export function modeOption({
  options,
  command,
}: Pick<Context, 'options' | 'command'>): InjectionMode | undefined {
  const name = options.value('mode');
  if (name === undefined || name === 'auto') return undefined;
  const mode = modeNamed(name);
  if (!mode) throw usageError(command, `--mode takes auto, ${modeNames.join(', ')}, not "${name}".`);
  return mode;
}
