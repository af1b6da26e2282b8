import { join, resolve } from 'node:path';
import { lockHome } from '../../../store/files/home-lock.ts';
import { holdsNothing } from '../../../home-trust.ts';
import { forgetHome } from '../../../store/owner/known-homes.ts';
import { restoreHome } from '../../../store/database/backup.ts';
import type { CommandHandler } from '../../command.ts';

/** A backup brings no trust along: in a new place its user looks at it first. */
export const run: CommandHandler = async ({ words, terminal, home }) => {
  const isNew = holdsNothing(home);
  using _lock = lockHome(join(home, 'data/host.lock'));
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const aside = join(home, 'data/backups', `before-restore-${stamp}`);
  const { files } = restoreHome(resolve(words[0]!), home, aside);
  terminal.out.line(`${files} files are back in ${home}. What was there is in ${aside}.`);
  if (isNew) await forgetHome(home);
  terminal.err.line(
    isNew
      ? `A backup brings no trust along: \`pegboard trust ${home}\` shows what would run, and asks.`
      : 'A backup brings no trust along: what you approved in this home before counts, and nothing else.',
  );
};
