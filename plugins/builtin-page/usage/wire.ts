/** What models cost, as it goes to the page. Types only. */
import type { TurnCalls, TurnUsage, UsageLine, UsageSum } from 'pegboard/browser';

export type { TurnCalls, UsageLine, UsageSum };

export interface UsageOverview {
  /** YYYY-MM-DD, in the home's time zone. */
  readonly today: string;
  /** Of the last so many days, today among them. */
  readonly windows: readonly { readonly days: number; readonly sum: UsageSum }[];
  /** Each of the last 30 days, in order, also those without usage. */
  readonly days: readonly UsageLine[];
  /** Of the last 30 days. */
  readonly models: readonly UsageLine[];
  readonly agents: readonly UsageLine[];
}

export interface TurnRow extends Omit<TurnUsage, 'conversation' | 'externalId'> {
  /** The id of the chat on the page; absent for what belongs to no conversation. */
  readonly chat?: string;
}
