import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';

/** What a step of set-up has to work with. */
export interface SetupPlace extends Pick<Context, 'terminal' | 'signal' | 'options' | 'command' | 'home'> {
  readonly host: Host;
  /** Questions may be asked. Otherwise a step does what the options say, and nothing else. */
  readonly asks: boolean;
}

/** How a step ended. A step that was skipped can be run again at any time. */
export type StepEnd = 'done' | 'kept' | 'skipped' | 'failed';
