import { pluginCommands } from '../plugin-commands.ts';
import type { SetupStep } from './step.ts';

/**
 * The step that comes with a command of a plugin. Where the plugin is off, nothing is asked, and the option of the step
 * says so.
 */
export const stepOfCommand =
  (name: string, option: string): SetupStep =>
  async (place) => {
    const { home, surroundings } = place.host;
    const command = (await pluginCommands(home, surroundings)).find((one) => one.name === name);
    if (!command || (command.hidden === true && !place.options.flag(option))) return 'skipped';
    const { setUp } = (await command.load()) as { readonly setUp?: SetupStep };
    return (await setUp?.(place)) ?? 'skipped';
  };
