import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { messageOf, PegboardError } from '../../../core/errors.ts';
import { packageRoot } from '../../../core/files/paths.ts';
import { configFile } from '../../../home.ts';
import { standingOf, type HomeStanding } from '../../../home-trust.ts';
import { rememberHome } from '../../../store/owner/known-homes.ts';
import type { CommandHandler } from '../../command.ts';
import { homeFiles } from '../../home/templates.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { warn } from '../../warn.ts';
import { quoteWord } from '../../words.ts';

/** Nothing that is there already is touched; a folder that is a home already is refused. */
export const run: CommandHandler = async ({ words, options, terminal }) => {
  const folder = resolve(words[0] ?? options.value('home') ?? '.');
  if (existsSync(join(folder, configFile))) {
    throw new PegboardError(
      'PEG_USAGE',
      `${folder} is a home already: it has a ${configFile}. Nothing was changed.`,
    );
  }
  const { out } = terminal;
  const standing = standingOf(folder);
  out.line(`A home in ${out.style.title(folder)}:`);
  for (const [file, text] of Object.entries(homeFiles)) {
    const written = await writeNew(join(folder, file), text);
    out.line(
      `  ${written ? out.style.good('+') : out.style.quiet('=')} ${file}${written ? '' : out.style.quiet(' (was there, left as it is)')}`,
    );
  }
  await copySchemas(join(folder, '.vscode/pegboard'));
  await know(folder, standing, terminal);
  const way = relative(process.cwd(), folder);
  const there = way === '' ? '' : `cd ${quoteWord(way.startsWith('..') ? folder : way)} && `;
  out.line(`\nTry it:  ${out.style.name(`${there}pegboard call greet name=Ada`)}`);
};

/** What is made here is known; what was there before waits for its user to look at it. */
async function know(folder: string, standing: HomeStanding, terminal: Terminal): Promise<void> {
  if (standing === 'unknown')
    return warn(
      terminal,
      `there was something here before: run \`pegboard trust ${folder}\` to look at it and let it run`,
    );
  try {
    await rememberHome(folder);
  } catch (cause) {
    warn(terminal, `the new home can't be remembered, so it asks once (${messageOf(cause)})`);
  }
}

async function writeNew(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

/** The home's own copies: they work without a network, and for whoever clones the home. */
async function copySchemas(folder: string): Promise<void> {
  const schemas = join(packageRoot, 'schemas');
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(schemas)) await copyFile(join(schemas, name), join(folder, name));
}
