import type { ChannelSettings } from 'pegboard/channels';

/** Settings in pegboard.yaml under plugins.builtin-telegram.config, as plugin.yaml describes them. */
export interface TelegramConfig extends ChannelSettings {
  readonly webhook?: WebhookConfig;
}

export interface WebhookConfig {
  readonly url: string;
  readonly port: number;
  readonly host: string;
}
