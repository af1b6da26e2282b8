import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import { fileErrorInWords } from '../../../core/system-error.ts';
import { configFile } from '../../../core/files/config-files.ts';
import { projectHomeName } from '../../../core/files/project.ts';
import { packageRoot } from '../../../core/files/paths.ts';
import { homeTrust, type HomeTrust } from '../../../home-trust.ts';
import { reviewHome } from '../../../approvals/trust-home.ts';
import type { CommandHandler } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { checkPlace, makePlace, requireFolders } from '../../home/check-place.ts';
import { homeFiles, projectHomeFiles } from '../../home/templates.ts';
import { offerSetup } from '../../setup/offer-setup.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { warn } from '../../warn.ts';
import { quoteWord } from '../../../core/text/shell-words.ts';

/** Changes no existing file, and refuses a folder that already is a home. */
export const run: CommandHandler = async ({ words, options, terminal, signal, command }) => {
  // An unset variable in a script.
  if (words[0] === '') throw usageError(command, 'The folder has no name.');
  const isForProject = options.flag('project');
  const place = resolve(words[0] ?? options.value('home') ?? '.');
  const folder = isForProject ? join(place, projectHomeName) : place;
  if (!checkPlace(folder)) makePlace(folder);
  requireFolders(folder);
  if (existsSync(join(folder, configFile))) {
    throw new PegboardError(
      'PEG_USAGE',
      `${folder} is already a home: it has a ${configFile}. Nothing was changed.`,
    );
  }
  const { out } = terminal;
  const trust = homeTrust(folder);
  const made: string[] = [];
  for (const [file, text] of Object.entries(isForProject ? projectHomeFiles : homeFiles)) {
    const written = await writeNew(join(folder, file), text);
    const mark = written ? out.style.good('+') : out.style.quiet('=');
    made.push(`  ${mark} ${file}${written ? '' : out.style.quiet(' (exists, not changed)')}`);
  }
  out.line(`A home in ${out.style.title(folder)}:`);
  for (const line of made) out.line(line);
  if (!isForProject) await copySchemas(join(folder, '.vscode/pegboard'));
  await know(folder, trust, terminal);
  if (!isForProject && terminal.interactive && trust !== 'unknown') {
    const { createHost } = await import('../../../create-host.ts');
    const notice = (text: string): void => warn(terminal, text);
    await using host = await createHost({ home: folder, mcp: 'off', notice, oneShot: true });
    terminal.keepOut((text) => host.redact(text));
    await offerSetup(host, 'Connect a model now, and a bot on Telegram or Discord if you like?', {
      terminal,
      signal,
      command,
    });
  }
  const way = relative(process.cwd(), place);
  const there = way === '' ? '' : `cd ${quoteWord(way.startsWith('..') ? place : way)} && `;
  out.line(
    `\nTry it:  ${out.style.name(`${there}${pegboard} call ${isForProject ? 'files' : 'greet name=Ada'}`)}`,
  );
};

/** A home in an empty folder is known at once; in any other its user has to review it first. */
async function know(folder: string, trust: HomeTrust, terminal: Terminal): Promise<void> {
  if (trust === 'unknown')
    return warn(
      terminal,
      `the folder was not empty: run \`${pegboard} trust ${folder}\` to review it and let it run`,
    );
  try {
    await reviewHome(folder)();
  } catch (cause) {
    warn(
      terminal,
      `trust in the new home can't be stored, so you will be asked once (${fileErrorInWords(cause)})`,
    );
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

/** Copies in the home work without a network, and in clones of the home. */
async function copySchemas(folder: string): Promise<void> {
  const schemas = join(packageRoot, 'schemas');
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(schemas)) await copyFile(join(schemas, name), join(folder, name));
}
