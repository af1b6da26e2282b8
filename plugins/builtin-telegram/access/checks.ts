import type { Check } from 'pegboard';
import type { TelegramConfig } from '../config.ts';

/** What the settings allow beyond what they come with. */
export function accessChecks({ allow }: TelegramConfig): readonly Check[] {
  if (allow === 'listed') return [];
  return [
    {
      name: 'telegram',
      status: 'warning',
      message: 'everyone on Telegram may talk to your agents',
      fix: 'plugins.builtin-telegram.config.allow: listed in pegboard.yaml',
    },
  ];
}
