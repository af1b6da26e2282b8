import { writtenDatabase } from '../../../compose/home-database.ts';
import { resolverOf } from '../../../compose/home-secrets.ts';
import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import { plural } from '../../../core/text/plural.ts';
import { removePlaced } from '../../../plugins/elsewhere/place.ts';
import { revokeCode } from '../../../plugins/loading/approved-code.ts';
import { dropPluginTables, pluginTables } from '../../../store/database/plugin-tables.ts';
import { removeConfigValue } from '../../../write-config.ts';
import type { CommandHandler } from '../../command.ts';
import { findAdded } from '../../plugins/elsewhere.ts';
import { isWanted } from '../../plugins/review-staged.ts';

/** Removes a plugin that was added from elsewhere; what it has stored stays, unless --data says otherwise. */
export const run: CommandHandler = async (context) => {
  const { home, words, options, terminal } = context;
  const { out, err } = terminal;
  const host = await context.openHost({ mcp: 'off', setUp: 'none' });
  await using database = writtenDatabase(home, resolverOf(home, context.surroundings));
  const [id = ''] = words;
  const tables = await pluginTables(database, id);
  const hasSettings = host.config.plugins[id] !== undefined;
  const isGone = !host.plugins.states.some(({ manifest }) => manifest.id === id);
  const hasData = tables.length > 0 || hasSettings;
  // Its data can still be deleted when the plugin itself is gone.
  const added = isGone && hasData && options.flag('data') ? undefined : findAdded(host, id);
  const { secrets = [], optional = [] } = added?.manifest.requires ?? {};
  const stored = new Set(host.secrets.list().map(({ name }) => name));
  const kept = [...secrets, ...optional].filter((name) => stored.has(name));
  const withData = options.flag('data') && hasData;
  const dryRun = options.flag('dry-run');
  const name = added ? `${id} ${added.lock.version}` : `the data of ${id}`;
  const folder = added?.manifest.folder;
  const report = {
    id,
    ...(added && { version: added.lock.version, folder }),
    tables,
    settings: hasSettings,
    secrets: kept,
  };
  const data = [
    ...(tables.length > 0 ? [`${plural(tables.length, 'table')} of its data (${tables.join(', ')})`] : []),
    ...(hasSettings ? [`its settings in pegboard.yaml (plugins.${id})`] : []),
  ];
  if (withData && !dryRun) {
    for (const what of data) err.line(`  ${what}`);
    if (!(await isWanted(`Remove ${id}, and delete what is listed for good?`, context)))
      throw new PegboardError('PEG_DECLINED', 'Nothing was changed.');
  }
  if (!dryRun) {
    if (folder !== undefined) {
      await removePlaced(home, id);
      await revokeCode(host.trust, id);
      // Ends what of it runs here: its tables are no longer in use then.
      await host.plugins.changed([folder]);
    }
    if (withData) {
      await dropPluginTables(database, id);
      await removeConfigValue(home, context.surroundings, ['plugins', id]);
    }
  }
  if (options.flag('json'))
    return terminal.json({ ...report, removed: !dryRun, dataDeleted: withData && !dryRun });
  out.line(dryRun ? `${name} would be removed.` : `${out.style.good('removed:')} ${name}.`);
  const staying = [
    ...(withData ? [] : data),
    ...(kept.length > 0
      ? [`the secrets ${kept.join(', ')}, which others may use: ${pegboard} secret delete ${kept[0]}`]
      : []),
  ];
  if (staying.length > 0) out.line(`${dryRun ? 'Would stay' : 'Stays'}: ${staying.join('; ')}.`);
  if (withData && dryRun) out.line(`Would be deleted: ${data.join('; ')}.`);
  if (!options.flag('data') && data.length > 0)
    out.line(`\`${pegboard} plugins remove ${id} --data\` deletes its tables and settings too.`);
};
