import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import { isFolder } from '../../../core/files/paths.ts';
import { homeTrust, trustVariable } from '../../../home-trust.ts';
import { forgetHome, isKnownHome, listKnownHomes, rememberHome } from '../../../store/owner/known-homes.ts';
import { askAboutHome, showHome } from '../../approvals/admit-home.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { createAsk } from '../../terminal/ask.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';

export const run: CommandHandler = async (context) => {
  const { words, options } = context;
  if (options.flag('list')) return list(context);
  const home = words[0] === undefined ? context.home : resolve(words[0]);
  return options.flag('revoke') ? revoke(home, context) : trust(home, context);
};

async function trust(home: string, { terminal, options, signal }: Context): Promise<void> {
  if (!isFolder(home)) throw new PegboardError('PEG_USAGE', `There is no folder ${home}.`);
  if (homeTrust(home) === 'known') return terminal.out.line(`${oneLine(home)} is already trusted.`);
  if (options.flag('yes')) {
    await showHome(home, terminal);
    await rememberHome(home);
  } else if (!createAsk(terminal)) {
    await showHome(home, terminal);
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      'The home was not trusted: there is nobody to ask. Read what is shown above, then pass --yes.',
    );
  } else await askAboutHome(home, { terminal, signal });
  terminal.out.line(`${oneLine(home)} is now trusted. \`${pegboard} trust --revoke\` ends that.`);
}

async function revoke(home: string, { terminal }: Context): Promise<void> {
  if (!(await forgetHome(home))) {
    const known = listKnownHomes().map(({ path }) => path);
    const there = known.length === 0 ? 'No home is trusted.' : `Trusted homes: ${known.join(', ')}.`;
    throw new PegboardError('PEG_USAGE', `${home} is not trusted. ${there}`);
  }
  const other =
    homeTrust(home) === 'known'
      ? ` It is still trusted, because ${trustVariable} names it or this Pegboard runs from it.`
      : '';
  terminal.out.line(
    `${oneLine(home)} is no longer trusted. Its approvals apply again when you trust it again. A running host continues until it is stopped.${other}`,
  );
}

function list({ terminal, options }: Context): void {
  const homes = listKnownHomes().map((home) => ({ ...home, exists: existsSync(home.path) }));
  if (options.flag('json')) return terminal.json({ homes });
  const { out, err } = terminal;
  if (homes.length === 0) return err.line('No home is trusted.');
  const columns = [{ title: 'HOME', paint: out.style.name }, { title: 'SINCE' }, { title: '' }];
  const rows = homes.map(({ path, since, exists }) => [
    oneLine(path),
    since.slice(0, 16).replace('T', ' '),
    exists && isKnownHome(path) ? '' : 'gone',
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
}
