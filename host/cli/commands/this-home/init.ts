import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import { fileErrorInWords } from '../../../core/system-error.ts';
import { configFile } from '../../../core/files/config-files.ts';
import { writeMissing } from '../../../core/files/new-file.ts';
import { projectHomeName } from '../../../core/files/project.ts';
import { packageRoot } from '../../../core/files/paths.ts';
import { homeTrust, type HomeTrust } from '../../../home-trust.ts';
import { reviewHome } from '../../../approvals/trust-home.ts';
import type { CommandHandler } from '../../command.ts';
import { absolutePath } from '../../absolute-path.ts';
import { usageError } from '../../parse.ts';
import { checkPlace, makePlace, requireFolders } from '../../home/check-place.ts';
import { homeFiles, projectHomeFiles } from '../../home/templates.ts';
import { offerSetup } from '../../setup/offer-setup.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { warn } from '../../warn.ts';
import { quoteWord } from '../../../core/text/shell-words.ts';

/** Changes no existing file, and refuses a folder that already is a home. */
export const run: CommandHandler = async ({ words, options, terminal, surroundings, signal, command }) => {
  // An unset variable in a script.
  if (words[0] === '') throw usageError(command, 'The folder has no name.');
  const isForProject = options.flag('project');
  const place = absolutePath(words[0] ?? options.value('home') ?? '.', surroundings);
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
  const trust = homeTrust(folder, surroundings);
  const files = isForProject ? projectHomeFiles : homeFiles;
  const written = await writeHome(folder, files, isForProject ? [] : await schemasForEditors());
  out.line(`A home in ${out.style.title(folder)}:`);
  for (const file of Object.keys(files)) {
    const isNew = written.includes(join(folder, file));
    const mark = isNew ? out.style.good('+') : out.style.quiet('=');
    out.line(`  ${mark} ${file}${isNew ? '' : out.style.quiet(' (exists, not changed)')}`);
  }
  await know(folder, trust, terminal);
  if (!isForProject && terminal.interactive && trust !== 'unknown') {
    const { createHost } = await import('../../../create-host.ts');
    const notice = (text: string): void => warn(terminal, text);
    await using host = await createHost({ home: folder, surroundings, mcp: 'off', notice, oneShot: true });
    terminal.keepOut((text) => host.redact(text));
    await offerSetup(host, 'Connect a model now, and a bot on Telegram or Discord if you like?', {
      terminal,
      signal,
      command,
    });
  }
  const way = relative(surroundings.cwd(), place);
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
    await reviewHome(folder, terminal.surroundings)();
  } catch (cause) {
    warn(
      terminal,
      `trust in the new home can't be stored, so you will be asked once (${fileErrorInWords(cause)})`,
    );
  }
}

async function writeHome(
  folder: string,
  files: { readonly [file: string]: string },
  others: readonly (readonly [file: string, text: string])[],
): Promise<readonly string[]> {
  const all = [...Object.entries(files), ...others];
  return await writeMissing(all.map(([file, text]) => ({ path: join(folder, file), text })));
}

/** Copies in the home work without a network, and in clones of the home. */
async function schemasForEditors(): Promise<readonly (readonly [file: string, text: string])[]> {
  const schemas = join(packageRoot, 'schemas');
  const names = await readdir(schemas);
  return await Promise.all(
    names.map(
      async (name) => [join('.vscode/pegboard', name), await readFile(join(schemas, name), 'utf8')] as const,
    ),
  );
}
