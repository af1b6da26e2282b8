import type { Check } from 'pegboard';
import type { CoreConfig } from '../config.ts';

/** Warnings about settings that allow more than the defaults. */
export function shellChecks({ bash }: CoreConfig): readonly Check[] {
  if (bash.confirm === 'always') return [];
  return [
    {
      name: 'confirm',
      status: 'warning',
      message:
        bash.confirm === 'unknown'
          ? 'shell commands that only read and print run without asking'
          : 'shell commands that a sandbox confines run without asking',
      fix: 'plugins.builtin-core.config.bash.confirm: always in pegboard.yaml',
    },
  ];
}
