import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import type { CommandHandler, SetupStep } from 'pegboard/terminal';
import { applyImport } from '../homes/apply-import.ts';
import { askWhatToImport } from '../homes/ask.ts';
import { readForeignHome } from '../homes/find-home.ts';
import { showImport } from '../homes/show-import.ts';

export const setUp: SetupStep = async (place) => (await import('../homes/setup-step.ts')).setUpImport(place);

export const run: CommandHandler = async (context) => {
  const { home, words, options, terminal, signal, openHost } = context;
  const [program = '', folder] = words;
  const found = readForeignHome(program, folder, context.surroundings);
  const dryRun = options.flag('dry-run');
  const given = { people: options.flag('people'), servers: options.flag('servers') };
  const wanted = dryRun || options.flag('yes') ? given : await askWhatToImport(found, given, context);
  if (!wanted) throw new PegboardError('PEG_DECLINED', 'Nothing was imported.');
  let host: Promise<Host> | undefined;
  const report = await applyImport(home, found, {
    dryRun,
    surroundings: context.surroundings,
    signal,
    isFresh: !existsSync(join(home, 'data/pegboard.db')),
    ...wanted,
    openHost: () => (host ??= openHost({ mcp: 'off' })),
  });
  if (options.flag('json')) terminal.json({ program, folder: found.folder, dryRun, ...report });
  else showImport(report, found, context);
};
