import { writeConfigValue } from '../../write-config.ts';
import type { SetupPlace, StepEnd } from './step.ts';

const pack = 'self';

/**
 * With --self, lists the tools with which an agent works on its own installation. Never asked about: few people want
 * it, and each call that changes something asks anyway.
 */
export async function setUpSelf({ options, host, terminal }: SetupPlace): Promise<StepEnd> {
  if (!options.flag('self')) return 'skipped';
  const { name, show } = host.config.toolPreset;
  if (name === 'full' || show.includes(pack)) return 'kept';
  await writeConfigValue(host.home, host.surroundings, ['showTools'], [...show, pack]);
  const { err } = terminal;
  err.line(`${err.style.good('✓')} The agent sees the tools that work on Pegboard itself.`);
  return 'done';
}
