import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCommand } from '../../../host/cli/find-command.ts';
import { checkCount, parse } from '../../../host/cli/parse.ts';
import { listedPluginCommands } from '../../../host/cli/plugin-commands.ts';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import { repository } from '../../kit/homes/clone.ts';
import { createHome } from '../../kit/homes/home.ts';
import { blocksOf } from './blocks.ts';

const documents = globSync(['*.md', 'docs/**/*.md', 'spaces/*/README.md', 'tools/package.md'], {
  cwd: repository,
});

/** Blocks that no test can run, since they need a service manager, a container engine or an account. */
const shown = documents.flatMap((document) =>
  blocksOf(readFileSync(join(repository, document), 'utf8'))
    .filter(({ language }) => language === 'console' || language === 'text')
    .flatMap(({ text, line }) =>
      text
        .split('\n')
        .flatMap((command, at) =>
          wordsAfterProgram(command).map((words) => ({ words, place: `${document}:${line + at}` })),
        ),
    ),
);

/** `$ docker compose exec pegboard pegboard doctor` → [["doctor"]] */
function wordsAfterProgram(line: string): string[][] {
  const found = /^(?:\$ )?(?:npx |docker compose exec (?:-T )?pegboard )?pegboard(?: (.*))?$/.exec(
    line.trim(),
  );
  if (!found) return [];
  const command = (found[1] ?? '').replace(/\s[#<|>].*$/, '').replace(/^#.*$/, '');
  return [
    [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, double, single, bare]) => double ?? single ?? bare!,
    ),
  ];
}

test('every command that a document shows exists, with its options and arguments', async () => {
  await using home = await createHome();
  const ofPlugins = await listedPluginCommands(home.path, processSurroundings());
  const wrong = shown.flatMap(({ words, place }) => {
    try {
      const { command, args } = findCommand(words, ofPlugins);
      checkCount(command, parse(command, args).words);
      return [];
    } catch (thrown) {
      return [`${place}: ${(thrown as Error).message}`];
    }
  });
  expect(wrong).toEqual([]);
  expect(shown.length).toBeGreaterThan(30);
});
