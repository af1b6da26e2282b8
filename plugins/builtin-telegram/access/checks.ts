import type { Check } from 'pegboard';
import type { TelegramConfig } from '../config.ts';

/** Warnings about settings that allow more than the defaults. */
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
