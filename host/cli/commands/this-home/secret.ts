import { secretsOfAddress } from '../../../compose/home-secrets.ts';
import { PegboardError } from '../../../core/errors.ts';
import { shownLine } from '../../../core/foreign/shown-text.ts';
import { pegboard } from '../../../core/own-command.ts';
import type { Host } from '../../../host.ts';
import { deleteSecret, storeSecret } from '../../../secrets/change-secrets.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { showForm } from '../../terminal/show-form.ts';
import { renderTable } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { readSecretStdin } from '../../tools/given-text.ts';

export const runList: CommandHandler = async (context) => {
  const { terminal, options } = context;
  await using opened = await openSecrets(context);
  const secrets = opened.secrets.list();
  const { diagnostics } = opened.secrets;
  const code = diagnostics.length === 0 ? 0 : 1;
  const { out, err } = terminal;
  for (const { message } of diagnostics) err.line(`${err.style.bad('error:')} ${message}`);
  if (options.flag('json')) {
    terminal.json({ secrets });
    return code;
  }
  if (secrets.length === 0) {
    if (code === 0) err.line(`There are no secrets. Store one with \`${pegboard} secret set NAME\`.`);
    return code;
  }
  const columns = [{ title: 'SECRET', paint: out.style.name }, { title: 'SINCE' }, { title: 'FROM' }];
  const rows = secrets.map(({ name, at, origin }) => [name, at.slice(0, 16).replace('T', ' '), origin]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
  return code;
};

/** The value is never on the command line, where other users and the shell's history would see it. */
export const runSet: CommandHandler = async (context) => {
  const { terminal, words, signal } = context;
  const [name] = words as [string];
  const value = await readValue(name, terminal, signal);
  if (value === undefined) {
    terminal.err.line('Nothing was stored.');
    return 3;
  }
  if (value === '') throw usageError(context.command, `The secret ${name} needs a value.`);
  await using opened = await openSecrets(context, name);
  terminal.out.line(await storeSecret(name, value, opened));
};

type Opened = AsyncDisposable & Pick<Host, 'secrets'>;

/**
 * Of a home whose configuration can't be used, its secrets alone: it may name one that is to be stored. `stored`: its
 * name.
 */
async function openSecrets(
  { openHost, home, homeTrust, surroundings }: Context,
  stored?: string,
): Promise<Opened> {
  const isKnown = stored !== undefined && homeTrust === 'known';
  const ofAddress = isKnown ? secretsOfAddress(home, stored, surroundings) : undefined;
  try {
    const secrets = ofAddress ?? (await openHost({ mcp: 'off' })).secrets;
    return { secrets, [Symbol.asyncDispose]: async () => {} };
  } catch (cause) {
    if (!(cause instanceof PegboardError) || cause.code !== 'PEG_CONFIG') throw cause;
    const { openSecretsAlone } = await import('../../../compose/settings.ts');
    return await openSecretsAlone(home, surroundings);
  }
}

async function readValue(name: string, terminal: Terminal, signal: AbortSignal): Promise<string | undefined> {
  if (!terminal.interactive)
    return (await readSecretStdin(terminal.surroundings.stdin)).replace(/\r?\n$/, '');
  return await showForm({ terminal, signal }, ({ password }, streams) =>
    password({ ...streams, message: shownLine(`Value for ${name}`) }),
  );
}

export const runDelete: CommandHandler = async (context) => {
  const { terminal, words } = context;
  const [name] = words as [string];
  await using opened = await openSecrets(context);
  terminal.out.line(await deleteSecret(name, opened));
};
