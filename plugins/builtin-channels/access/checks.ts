import type { Check } from 'pegboard';
import type { ChannelSettings } from '../settings.ts';

/** Warnings about settings that allow more than the defaults. `plugin`: the plugin with the settings. */
export function accessChecks(
  { allow }: Pick<ChannelSettings, 'allow'>,
  { name, title, plugin }: { readonly name: string; readonly title: string; readonly plugin: string },
): readonly Check[] {
  if (allow === 'listed') return [];
  return [
    {
      name,
      status: 'warning',
      message: `everyone on ${title} may talk to your agents`,
      fix: `plugins.${plugin}.config.allow: listed in pegboard.yaml`,
    },
  ];
}
