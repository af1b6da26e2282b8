import { text } from 'node:stream/consumers';
import type { CommandHandler } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { showForm } from '../../terminal/show-form.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** The value never stands on the command line, where other users and the shell's history would see it. */
export const run: CommandHandler = async (context) => {
  const { terminal, words, signal } = context;
  const [name] = words as [string];
  const value = await readValue(name, terminal, signal);
  if (value === undefined) return 3;
  if (value === '') throw usageError(context.command, `The secret ${name} needs a value.`);
  const host = await context.openHost({ mcp: 'off' });
  await host.secrets.set(name, value, 'owner');
  terminal.out.line(`${name} is stored. Tools get it where a manifest or a server says \${${name}}.`);
};

async function readValue(name: string, terminal: Terminal, signal: AbortSignal): Promise<string | undefined> {
  if (!terminal.interactive) return (await text(process.stdin)).replace(/\r?\n$/, '');
  return await showForm({ terminal, signal }, ({ password }, streams) =>
    password({ ...streams, message: `Value of ${name}` }),
  );
}
