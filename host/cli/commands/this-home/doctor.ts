import type { Check } from '../../../api/diagnostic.ts';
import { loadConfig } from '../../../config.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { checkNames, checkServerEntry, checkServers } from '../../doctor/servers.ts';
import { checkProcesses } from '../../doctor/processes.ts';
import { checkSandbox } from '../../doctor/sandbox.ts';
import { checkDatabase } from '../../doctor/database.ts';
import { checkLoose } from '../../doctor/readable.ts';
import { checkDisk } from '../../doctor/disk.ts';
import {
  checkConfig,
  checkHome,
  checkNode,
  checkPlatform,
  checkPort,
  checkShell,
  checkHomeTrust,
  resolverOf,
} from '../../doctor/surroundings.ts';
import { checkModel } from '../../doctor/model.ts';
import { checkTools } from '../../doctor/tools.ts';
import { checkTrust } from '../../doctor/trust.ts';
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
  const { home } = context;
  const isKnown = context.homeTrust === 'known';
  const loose = isKnown ? checkLoose(home) : [];
  const resolve = resolverOf(home);
  const config = await checkConfig(home, resolve);
  // SQLite writes beside a database even to read it.
  const database = isKnown ? [await checkDatabase(home)] : [];
  const checks = [
    checkNode(),
    isKnown ? await checkHome(home) : checkHomeTrust(context),
    ...loose,
    checkDisk(home),
    config,
    ...database,
    ...checkPlatform(),
    checkShell(),
    await checkPort(),
  ];
  const loaded = await loadConfig(home, resolve);
  // No host runs on a broken config, and looking must not change a broken database.
  if (loaded.broken || database.some(({ status }) => status === 'failed')) return checks;
  for (const [name, entry] of loaded.config.servers)
    checks.push(...(await checkServerEntry(name, entry, resolve)));
  const host = await context.openHost();
  await connectServers(host, context);
  const known = new Set(checks.map(({ name }) => name));
  const connected = checkServers(host).filter(({ name }) => !known.has(name));
  return [
    ...checks,
    ...connected,
    ...checkNames(host),
    checkTools(host),
    await checkModel(host, context.signal),
    await checkSandbox(host),
    checkProcesses(),
    ...(await checkTrust(host)),
  ];
}

function show(checks: readonly Check[], { terminal }: Context): void {
  const left = Math.max(...checks.map(({ name }) => widthOf(name)));
  for (const check of checks) showCheck(terminal.out, check, left);
}
