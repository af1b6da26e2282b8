import { docsPage } from '../../core/docs-page.ts';
import { existsSync } from 'node:fs';
import { pegboard } from '../../core/own-command.ts';
import type { Check } from '../../api/diagnostic.ts';
import { fileErrorInWords } from '../../core/system-error.ts';
import { failed, ok } from '../../status/check.ts';

/** Reads all of it. */
export async function checkDatabase(home: string): Promise<Check> {
  const [{ damageOf }, { databaseFileOf }, { newestBackup }, { migrations }] = await Promise.all([
    import('../../store/database/damage.ts'),
    import('../../store/database/file.ts'),
    import('../../store/database/backups.ts'),
    import('../../store/database/migrations/all.ts'),
  ]);
  const path = databaseFileOf(home);
  try {
    const damage = damageOf(path);
    if (damage === undefined) return ok('database', existsSync(path) ? path : 'nothing is stored yet');
    const backup = newestBackup(path, migrations.length);
    return failed(
      'database',
      `${path} is damaged (${damage})`,
      backup === undefined
        ? `${pegboard} restore FOLDER, if there is a backup elsewhere; ${docsPage('data.md')} has more`
        : `${pegboard} start puts the backup of ${backup.at} in its place and keeps the damaged file`,
    );
  } catch (cause) {
    return failed('database', `${path} can't be read (${fileErrorInWords(cause)})`, 'check its permissions');
  }
}
