import type { Ask } from '../../../api/ask.ts';
import type { Reply, TurnEvent } from '../../../api/conversation.ts';

/** A turn as the person sees it go. */
export interface TurnView extends Disposable {
  readonly onEvent: (event: TurnEvent) => void;
  /** Undefined where nobody can answer. */
  readonly ask: Ask | undefined;
  done(reply: Reply): void;
  /** No answer came; what was said so far stays. The reason is left out when it is told elsewhere. */
  failed(reason?: string): void;
}
