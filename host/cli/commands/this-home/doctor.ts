import type { Check } from '../../../api/diagnostic.ts';
import { loadConfig } from '../../../config.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { checkDatabase } from '../../../doctor/database.ts';
import { checkHost } from '../../../doctor/host.ts';
import { checkModel } from '../../../doctor/model.ts';
import { checkSpending } from '../../../doctor/spending.ts';
import { checkLoose } from '../../../doctor/readable.ts';
import { checkSecrets } from '../../../doctor/secrets.ts';
import { checkMcp } from '../../../doctor/servers.ts';
import { checkSurroundings } from '../../../doctor/surroundings.ts';
import { resolverOf, secretsOf } from '../../../compose/home-secrets.ts';
import { checkTrust } from '../../../doctor/trust.ts';
import { showCheck } from '../../terminal/show-check.ts';
import { widthOf } from '../../terminal/width.ts';
import { connectServers } from '../../servers/wait-for-servers.ts';

/** Exit code 1 when something failed; warnings are no failure. */
export const run: CommandHandler = async (context) => {
  const { terminal, options } = context;
  const checks = await examine(context);
  const failed = checks.some(({ status }) => status === 'failed');
  if (options.flag('json')) terminal.json({ ok: !failed, checks });
  else show(checks, context);
  return failed ? 1 : 0;
};

async function examine(context: Context): Promise<readonly Check[]> {
  const { home, homeTrust: trust, surroundings: user, signal } = context;
  const isKnown = trust === 'known';
  const loose = isKnown ? checkLoose(home, user) : [];
  const resolve = resolverOf(home, user);
  const surroundings = await checkSurroundings(home, trust, user);
  // SQLite writes beside a database even to read it.
  const database = isKnown ? [await checkDatabase(home, resolve, signal)] : [];
  const checks = [...loose, ...surroundings, ...database];
  const { broken } = await loadConfig(home, { ...user, resolve });
  // No host runs on a broken config, and looking must not change a broken database.
  if (broken || database.some(({ status }) => status === 'failed'))
    return [...checks, ...checkSecrets(secretsOf(home, user))];
  const host = await context.openHost();
  await connectServers(host, context);
  return [
    ...checks,
    ...checkSecrets(host.secrets),
    ...(await checkMcp(host, resolve)),
    ...(await checkHost(host)),
    await checkModel(host, signal),
    ...(await checkSpending(host)),
    ...(await checkTrust(host)),
  ];
}

function show(checks: readonly Check[], { terminal }: Context): void {
  const left = Math.max(...checks.map(({ name }) => widthOf(name)));
  for (const check of checks) showCheck(terminal.out, check, left);
}
