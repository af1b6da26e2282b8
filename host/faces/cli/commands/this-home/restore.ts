import { join, resolve } from 'node:path';
import { lockHome } from '../../../../store/home-lock.ts';
import { restoreHome } from '../../../../store/backup.ts';
import type { Run } from '../../command.ts';

export const run: Run = ({ words, terminal, home }) => {
  using _lock = lockHome(join(home, 'data/host.lock'));
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const aside = join(home, 'data/backups', `before-restore-${stamp}`);
  const { files } = restoreHome(resolve(words[0]!), home, aside);
  terminal.out.line(`${files} files are back in ${home}. What was there is in ${aside}.`);
  return Promise.resolve();
};
