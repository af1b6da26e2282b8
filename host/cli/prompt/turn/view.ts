import type { Ask } from '../../../api/ask.ts';
import type { Reply, TurnEvent } from '../../../api/conversation.ts';

/** How a turn is shown while it runs. */
export interface TurnView extends Disposable {
  readonly onEvent: (event: TurnEvent) => void;
  /** Undefined where nobody can answer. */
  readonly ask: Ask | undefined;
  done(reply: Reply): Promise<void>;
  /** No answer came; the text so far stays. The reason is left out when it is reported elsewhere. */
  failed(reason?: string): Promise<void>;
}
