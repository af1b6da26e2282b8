import { messageOf, PegboardError } from '../../core/errors.ts';
import { explainSystemError } from '../../core/system-error.ts';
import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import { shownMessage } from '../terminal/safe.ts';

/** What a step of set-up has to work with. */
export interface SetupPlace extends Pick<Context, 'terminal' | 'signal' | 'options' | 'command' | 'home'> {
  readonly host: Host;
  /** Ends set-up, after a Ctrl-C at a question: `signal` aborts. */
  readonly interrupt: () => void;
  /** Questions may be asked. Otherwise a step does what the options say, and nothing else. */
  readonly asks: boolean;
  /** The key or token that was given on stdin, or typed where that is a terminal. */
  readonly secret: string | undefined;
}

/** How a step ended. A step that was skipped can be run again at any time. */
export type StepEnd = 'done' | 'kept' | 'skipped' | 'failed';

/** A part of set-up. The module of a plugin's command brings one as its `setUp`. */
export type SetupStep = (place: SetupPlace) => Promise<StepEnd>;

/** Does a part of set-up. What keeps it from being done is said, and set-up goes on with the next part. */
export async function attempt(
  place: SetupPlace,
  { name, run }: { readonly name: string; readonly run: SetupStep },
): Promise<StepEnd> {
  try {
    return await run(place);
  } catch (thrown) {
    const cause = explainSystemError(thrown) ?? thrown;
    if (!(cause instanceof PegboardError)) throw cause;
    const { err } = place.terminal;
    err.line(`${err.style.bad(`${name}:`)} ${shownMessage(messageOf(cause))}`);
    return 'failed';
  }
}
