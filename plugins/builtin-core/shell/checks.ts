import type { Check } from 'pegboard';
import type { CoreConfig } from '../config.ts';

/** What the settings allow beyond what they come with. */
export function shellChecks({ bash }: CoreConfig): readonly Check[] {
  if (bash.confirm === 'always') return [];
  return [
    {
      name: 'confirm',
      status: 'warning',
      message: 'shell commands that do not look dangerous run without asking',
      fix: 'plugins.builtin-core.config.bash.confirm: always in pegboard.yaml',
    },
  ];
}
