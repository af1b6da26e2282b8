import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asSentence, pegboard, PegboardError } from 'pegboard';
import { lockHome, otherHolder, packageRoot, version } from 'pegboard/kit';
import { agree, type CommandHandler, type Context, oneLine, shownMessage } from 'pegboard/terminal';
import { serviceManager } from '../service/manager.ts';
import { serviceName } from '../service/service-file.ts';
// Nothing is imported later: then the files are already those of the new version.
import { applyUpgrade, type UpgradeEnd } from '../upgrade/apply-upgrade.ts';
import { findUpgrade, type FoundUpgrade } from '../upgrade/find-upgrade.ts';
import { packedName, upgradeCommand } from '../upgrade/packaged.ts';

export const run: CommandHandler = async (context) => {
  const { home, options, terminal, surroundings, signal } = context;
  const { out, err } = terminal;
  if (!existsSync(join(packageRoot, '.git'))) {
    out.line(`Pegboard ${version} is installed as a package in ${packageRoot}. This command upgrades it:`);
    out.line(`  ${out.style.name(upgradeCommand(packageRoot, packedName))}`);
    out.line('The data of a home is copied and migrated when the new version first opens it.');
    return 0;
  }
  const lockFile = join(home, 'data/host.lock');
  const dryRun = options.flag('dry-run');
  if (!dryRun) await refuseRunning(context, lockFile);
  err.line(err.style.quiet(`Fetching from ${packageRoot}'s remote …`));
  const found = findUpgrade({ root: packageRoot, ...surroundings });
  if (found.from === found.to) {
    out.line(`Pegboard ${version} is up to date: ${found.from.slice(0, 9)} has all of ${found.upstream}.`);
    return 0;
  }
  show(found, context);
  if (dryRun) return 0;
  if (!options.flag('yes') && !(await isWanted(context))) return 0;
  mkdirSync(join(home, 'data'), { recursive: true, mode: 0o700 });
  using _lock = await lockHome(lockFile, { kind: 'an upgrade' });
  const say = (text: string): void => err.line(err.style.quiet(text));
  const ended = await applyUpgrade(found, { home, version, surroundings, signal, say });
  return report(ended, found, context);
};

async function refuseRunning(context: Context, lockFile: string): Promise<void> {
  const holder = otherHolder(lockFile);
  if (holder === undefined) return;
  throw new PegboardError(
    'PEG_USAGE',
    `${context.home} is in use by ${holder}. ${await howToStop(context)} Nothing was changed.`,
  );
}

/** `service uninstall` would stop a service too, but also forget it. */
async function howToStop({ home, surroundings }: Context): Promise<string> {
  const upgrade = `run \`${pegboard} upgrade\``;
  const manager = await serviceManager(surroundings).catch(() => undefined);
  const name = serviceName(home);
  if (!manager || !existsSync(manager.fileOf(name)))
    return `Stop it with Ctrl-C in its terminal, ${upgrade}, and start it again.`;
  const { stop, start } = manager.byHand(name);
  return `Its service is ${name}. Stop it with \`${stop}\`, ${upgrade}, and start it again with \`${start}\`.`;
}

const maxListed = 20;

function show({ commits, changes, upstream }: FoundUpgrade, { terminal }: Context): void {
  const { out } = terminal;
  const list = (title: string, lines: readonly string[]): void => {
    if (lines.length === 0) return;
    out.line(out.style.title(title));
    for (const line of lines.slice(0, maxListed)) out.line(`  ${oneLine(line.trim())}`);
    if (lines.length > maxListed) out.line(`  ${out.style.quiet(`and ${lines.length - maxListed} more`)}`);
  };
  const count = commits.length === 1 ? '1 commit' : `${commits.length} commits`;
  list(`${count} from ${upstream}:`, commits);
  list('In the changelog:', changes);
}

async function isWanted({ terminal, signal }: Context): Promise<boolean> {
  if (!terminal.interactive)
    throw new PegboardError(
      'PEG_USAGE',
      'Nobody can be asked here: pass --yes to upgrade, or --dry-run to see what would come. Nothing was changed.',
    );
  return (await agree('Upgrade to this?', { terminal, signal }, 'yes')) === true;
}

function report(ended: UpgradeEnd, { root, from, to }: FoundUpgrade, { terminal }: Context): number {
  const { out, err } = terminal;
  if (ended.done) {
    out.line(`${out.style.good('upgraded:')} ${from.slice(0, 9)} → ${to.slice(0, 9)}, ${ended.tools} tools`);
    return 0;
  }
  err.line(`${err.style.bad('not upgraded:')} ${shownMessage(ended.why)}`);
  if ('stuck' in ended) {
    err.line(`The upgrade could not be undone: ${asSentence(shownMessage(ended.stuck))}`);
    err.line(`Fix that, then run \`node ${join(root, '.pegboard-upgrade/take-back.cjs')}\`.`);
  } else err.line(`Everything is as before: ${from.slice(0, 9)}, its dependencies and the home's data.`);
  return 1;
}
