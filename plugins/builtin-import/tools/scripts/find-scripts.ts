import { readdirSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { asSentence, PegboardError } from 'pegboard';
import { fileErrorInWords, isWithin, quoteWord, readDecodedFile, shorten } from 'pegboard/kit';
import { describe, firstSentences, plainLine, plainText } from '../foreign-text.ts';
import { toId, uniqueIds } from '../names.ts';
import type { LeftOutTool, PlannedTool } from '../tool-plan.ts';
import type { FoundScript, ScriptFile, ScriptSource } from './found-script.ts';
import { readJustRecipes } from './just-recipes.ts';
import { readMakeTargets } from './make-targets.ts';
import { readPackageScripts } from './package-scripts.ts';
import { readTaskFile } from './task-file.ts';

/** Of several names, the first that is there counts, as for the program itself. */
const kinds: readonly {
  readonly files: readonly RegExp[];
  readonly what: string;
  readonly read: (source: ScriptSource) => ScriptFile;
}[] = [
  { files: [/^package\.json$/], what: 'npm script', read: readPackageScripts },
  { files: [/^GNUmakefile$/, /^makefile$/, /^Makefile$/], what: 'make target', read: readMakeTargets },
  { files: [/^\.?justfile$/i], what: 'recipe', read: readJustRecipes },
  { files: [/^taskfile\.ya?ml$/i, /^taskfile\.dist\.ya?ml$/i], what: 'task', read: readTaskFile },
];

/** Seconds. Builds and tests take longer than most tools. */
const timeout = 600;

export interface FoundScripts {
  readonly tools: readonly PlannedTool[];
  readonly leftOut: readonly LeftOutTool[];
}

export interface ScriptPlace {
  /** Absolute. */
  readonly folder: string;
  /** The name of the one file in it that is read. Absent: all that are known. */
  readonly file: string | undefined;
}

export interface ScriptOptions {
  readonly home: string;
  readonly space: string;
  readonly confirm: boolean;
}

/**
 * Tools of everything that a folder, or one file of it, offers to run. Nothing of it is run. Throws PEG_USAGE where it
 * offers nothing.
 */
export function findScripts(
  { folder, file: wanted }: ScriptPlace,
  { home, space, confirm }: ScriptOptions,
): FoundScripts {
  const siblings = namesIn(folder);
  // A folder of the home is found from the space's folder, where commands run, also when the home is moved.
  const inside = isWithin(home, folder)
    ? relative(join(home, 'spaces', space), folder)
        .split(sep)
        .join('/')
    : folder;
  const place = quoteWord(inside === '' ? '.' : inside);
  const uniqueId = uniqueIds();
  const tools: PlannedTool[] = [];
  const leftOut: LeftOutTool[] = [];
  for (const { files, what, read } of kinds) {
    const offered = wanted === undefined ? siblings : [wanted];
    const file = files.flatMap((pattern) => offered.filter((name) => pattern.test(name)))[0];
    if (file === undefined) continue;
    const { text, diagnostics } = readDecodedFile(join(folder, file), [folder]);
    if (text === undefined) {
      leftOut.push({ what: file, why: diagnostics[0]?.message ?? 'it is not there any more' });
      continue;
    }
    const found = read({ file, text, folder: place, siblings });
    leftOut.push(...found.leftOut.map((left) => ({ what: plainLine(left.what), why: left.why })));
    for (const script of found.scripts) tools.push(toTool(script, { what, file, uniqueId, folder, confirm }));
  }
  if (tools.length + leftOut.length > 0) return { tools, leftOut };
  throw new PegboardError(
    'PEG_USAGE',
    `${join(folder, wanted ?? '')} has no scripts to import: no package.json with "scripts", Makefile, justfile or Taskfile.yml.`,
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (cause) {
    throw new PegboardError('PEG_USAGE', `${folder} can't be read: ${asSentence(fileErrorInWords(cause))}`, {
      cause,
    });
  }
}

interface Place {
  readonly what: string;
  readonly file: string;
  readonly folder: string;
  readonly confirm: boolean;
  readonly uniqueId: (wanted: string) => string;
}

function toTool(
  { name, description, command, parameters, documentation }: FoundScript,
  { what, file, folder, confirm, uniqueId }: Place,
): PlannedTool {
  const project = plainLine(basename(folder));
  const runs = plainLine(documentation);
  const said = description === undefined ? '' : plainLine(description);
  return {
    manifest: {
      id: uniqueId(toId(name)),
      name: firstSentences(`${plainLine(name)} of ${project}`, 120),
      description: describe(
        said === '' ? `The ${what} ${plainLine(name)} of ${project}` : said,
        shorten(runs, 200),
        300,
      ),
      tags: [what, project],
      ...(parameters && { parameters }),
      command,
      timeout,
      ...(confirm && { confirm: true }),
    },
    documentation: plainText(
      `${documentation === undefined ? '' : `${documentation}\n\n`}From ${file} in ${folder}`,
      2_000,
    ),
  };
}
