import { join } from 'node:path';
import { absolutePath } from '../../absolute-path.ts';
import { plural } from '../../../core/text/plural.ts';
import { backUpHome } from '../../../store/database/backup.ts';
import { version } from '../../../version.ts';
import type { CommandHandler } from '../../command.ts';
import { warnOfServerState } from '../../server-state.ts';

/** Needs no host: a home that doesn't start can be backed up too. */
export const run: CommandHandler = ({ words, terminal, options, surroundings, home }) => {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const folder =
    words[0] === undefined ? join(home, 'data/backups', stamp) : absolutePath(words[0], surroundings);
  const report = backUpHome(home, folder, version);
  if (options.flag('json')) terminal.json(report);
  else {
    terminal.out.line(
      `${report.folder}: ${plural(report.files, 'file')}, ${Math.ceil(report.size / 1024)} kB. Secrets and approvals are not in it.`,
    );
  }
  warnOfServerState(home, terminal);
  return Promise.resolve();
};
