/** Settings in pegboard.yaml under plugins.builtin-telegram.config, as plugin.yaml describes them. */
export interface TelegramConfig {
  readonly allow: 'listed' | 'everyone';
  readonly groups: 'addressed' | 'all' | 'none';
  readonly forwarded: 'ignore' | 'answer';
  /** Which confirmations of other places the owner is asked for. */
  readonly confirmations: 'unattended' | 'all' | 'none';
  /** Absent: the home's default agent. */
  readonly agent?: string;
  /** Relative to the workspace of the agent that answers. */
  readonly files: string;
  readonly webhook?: WebhookConfig;
}

export interface WebhookConfig {
  readonly url: string;
  readonly port: number;
  readonly host: string;
}
