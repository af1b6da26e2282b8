import type { Host } from '../host.ts';

/** Something that is new or changed, and not used until the owner has looked at it. */
export interface HeldBack {
  /** What `pegboard approvals accept` takes: "everything", "spaces/recipes", "dice". */
  readonly id: string;
  /** In words, a phrase for each thing: "everything.echo". */
  readonly what: readonly string[];
  look(): HeldLook;
}

/** All that is accepted together. */
export interface HeldLook {
  /** "Use the space recipes as it is now?" */
  readonly question: string;
  /** The difference to what was accepted before, or all that there is. Hidden characters are spelled out. */
  readonly detail: string;
  /** Nothing is accepted that `detail` doesn't show. */
  readonly isComplete: boolean;
  /** What a person should pay attention to, each a phrase. */
  readonly warnings: readonly string[];
  /** For exactly what `detail` shows. Returns what holds now, in a sentence. Throws PEG_DENIED when it has changed. */
  accept(): Promise<string>;
}

/** The parts of a host that hold something back. */
export type HoldingHost = Pick<Host, 'servers' | 'spaces' | 'plugins' | 'trust' | 'registry'>;

export const acceptCommand = ({ id }: Pick<HeldBack, 'id'>): string => `pegboard approvals accept ${id}`;
