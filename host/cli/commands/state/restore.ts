import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { absolutePath } from '../../absolute-path.ts';
import { pegboard } from '../../../core/own-command.ts';
import { lockHome } from '../../../store/files/home-lock.ts';
import { isEmptyHome } from '../../../home-trust.ts';
import { forgetHome } from '../../../store/owner/known-homes.ts';
import { restoreHome } from '../../../store/database/backup.ts';
import { version } from '../../../version.ts';
import type { CommandHandler } from '../../command.ts';
import { warnOfServerState } from '../../server-state.ts';

/** A backup contains no trust: in a new place its user has to review it first. */
export const run: CommandHandler = async ({ words, terminal, surroundings, home }) => {
  const isNew = isEmptyHome(home);
  using _lock = await lockHome(join(home, 'data/host.lock'), { kind: 'a restore' });
  const aside = newFolderIn(join(home, 'data/backups'));
  const { files } = restoreHome(absolutePath(words[0]!, surroundings), home, aside, version);
  terminal.out.line(
    `${files === 1 ? '1 file is' : `${files} files are`} back in ${home}. The files from before are in ${aside}, and can be restored from there.`,
  );
  warnOfServerState(home, terminal);
  if (isNew) await forgetHome(home, surroundings);
  terminal.err.line(
    isNew
      ? `A backup contains no trust: \`${pegboard} trust ${home}\` shows what would run, and asks.`
      : 'A backup contains no approvals: only what you approved in this home before is approved.',
  );
};

/** Named after the second, and numbered when there is one of that second already. */
function newFolderIn(backups: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const first = join(backups, `before-restore-${stamp}`);
  let folder = first;
  for (let count = 2; existsSync(folder); count++) folder = `${first}-${count}`;
  return folder;
}
