import type { Command } from '../command.ts';
import { usageError } from '../parse.ts';

/** "[HOST:]PORT". Throws PEG_USAGE. */
export function parseAddress(
  text: string,
  command: Command,
): { readonly address?: string; readonly port: number } {
  const [, host, digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw usageError(
      command,
      `"${text}" is not [HOST:]PORT: write 3917, or 0.0.0.0:3917 to be reachable from elsewhere.`,
    );
  }
  return host === undefined ? { port } : { address: host.replace(/^\[(.*)\]$/, '$1'), port };
}
