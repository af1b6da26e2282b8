import type { Asks } from './asks/asks.ts';
import type { DriverParts } from './driver-parts.ts';
import type { Events } from './inbox/events.ts';
import type { TurnQueue } from './inbox/turn-queue.ts';
import type { DeliveredButtons } from './outgoing/buttons.ts';

/** Dependencies for receiving and answering while the service runs. */
export interface ChannelParts extends DriverParts {
  readonly events: Events;
  readonly turns: TurnQueue;
  readonly asks: Asks;
  readonly buttons: DeliveredButtons;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
}
