/** An agent in a list, in the terminal and on the page. */
export interface DescribedAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly space: string;
  /** It answers where no agent is named. */
  readonly isDefault: boolean;
  /** The first that is tried; null without one. */
  readonly model: string | null;
  /** How many it can call. */
  readonly tools: number;
  /** How many of them its model sees without searching, where it has room for them. */
  readonly listed: number;
  /** From the home; null for an agent without a file. */
  readonly file: string | null;
}
