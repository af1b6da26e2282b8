import { shownLine } from 'pegboard/channels';
import type { Host } from 'pegboard/embed';
import { storeSecret, variableOf } from 'pegboard/kit';
import { agree, type Context, showForm } from 'pegboard/terminal';
import type { NeededSecret } from './tool-plan.ts';

export interface PendingSecret extends NeededSecret {
  /** One of this name is stored, with another value. */
  readonly isOther: boolean;
}

/** Those without a value in the environment or the store, and those whose given value is another one. */
export async function pendingSecrets(
  secrets: readonly NeededSecret[],
  { home, surroundings }: Pick<Context, 'home' | 'surroundings'>,
  openHost: (() => Promise<Host>) | undefined,
): Promise<readonly PendingSecret[]> {
  const variable = variableOf(home, surroundings);
  const unset = secrets.filter(({ name }) => variable(name) === undefined);
  const stored = unset.length === 0 ? undefined : (await openHost?.())?.secrets;
  return unset.flatMap((secret) => {
    const known = stored?.get(secret.name);
    const isOther = known !== undefined && secret.value !== undefined && secret.value !== known;
    return known === undefined || isOther ? [{ ...secret, isOther }] : [];
  });
}

/** Asks for the value of each, and stores it. Returns those that still have none. */
export async function storeSecrets(
  secrets: readonly PendingSecret[],
  openHost: () => Promise<Host>,
  context: Context,
): Promise<readonly PendingSecret[]> {
  const { terminal } = context;
  const later: PendingSecret[] = [];
  for (const secret of secrets) {
    const value = await valueOf(secret, context);
    if (value !== undefined && value !== '')
      terminal.err.line(await storeSecret(secret.name, value, await openHost()));
    else if (!secret.isOther) later.push(secret);
  }
  return later;
}

/** Undefined: not now. */
async function valueOf(
  { name, use, value, isOther, isUserAndPassword = false }: PendingSecret,
  { terminal, signal }: Context,
): Promise<string | undefined> {
  if (value !== undefined) {
    const question = isOther
      ? `The secret ${name} has another value. Replace it by this one, for ${use}?`
      : `Store its value as the secret ${name}, for ${use}?`;
    return (await agree(question, { terminal, signal })) ? value : undefined;
  }
  const what = isUserAndPassword ? ' (user:password)' : '';
  const typed = await showForm({ terminal, signal }, ({ password }, streams) =>
    password({
      ...streams,
      message: shownLine(`Value of the secret ${name}${what}, for ${use} (empty: later)`),
    }),
  );
  return isUserAndPassword && typed ? Buffer.from(typed).toString('base64') : typed;
}
