import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pegboard, PegboardError, type Surroundings } from 'pegboard';
import { absolutePath } from 'pegboard/terminal';
import type { ForeignHome } from './foreign-home.ts';
import { readHermes } from './hermes.ts';
import { readOpenClaw } from './open-claw.ts';

interface Program {
  readonly variables: readonly string[];
  /** In the user's home folder; the first that exists is taken. */
  readonly folders: readonly string[];
  readonly read: (folder: string) => ForeignHome;
}

const programs = {
  openclaw: {
    variables: ['OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR'],
    folders: ['.openclaw', '.clawdbot', '.moldbot', '.moltbot'],
    read: readOpenClaw,
  },
  hermes: { variables: ['HERMES_HOME'], folders: ['.hermes'], read: readHermes },
} satisfies Readonly<Record<string, Program>>;

/** "openclaw" and "hermes" */
const foreignPrograms: readonly string[] = Object.keys(programs);

/** The homes that are where their programs have them. */
export function findForeignHomes(surroundings: Surroundings): readonly ForeignHome[] {
  return foreignPrograms.flatMap((name) => {
    try {
      return [readForeignHome(name, undefined, surroundings)];
    } catch (cause) {
      if (cause instanceof PegboardError) return [];
      throw cause;
    }
  });
}

/**
 * Reads the home of a program, "openclaw" or "hermes", in `folder` or where that program has it. Changes nothing. Throws
 * PEG_USAGE when there is none.
 */
export function readForeignHome(
  name: string,
  folder: string | undefined,
  surroundings: Surroundings,
): ForeignHome {
  const program = Object.entries<Program>(programs).find(([known]) => known === name)?.[1];
  if (!program)
    throw new PegboardError(
      'PEG_USAGE',
      `Pegboard can import ${foreignPrograms.join(' or ')}, not "${name}". Tools come from ${pegboard} import openapi, scripts, curl or postman.`,
    );
  const { variables, folders, read } = program;
  const { env, userHome } = surroundings;
  const set = variables.map((variable) => env[variable]?.trim()).find(Boolean);
  const usual = folders.map((one) => join(userHome, one));
  const place =
    folder ?? set?.replace(/^~(?=$|[/\\])/, () => userHome) ?? usual.find((one) => existsSync(one));
  if (place === undefined)
    throw new PegboardError(
      'PEG_USAGE',
      `There is no ${usual.join(' or ')}. Name its folder: ${pegboard} import ${name} FOLDER`,
    );
  const path = absolutePath(place, surroundings);
  try {
    return read(path);
  } catch (cause) {
    if (!['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
    throw new PegboardError('PEG_USAGE', `There is no folder ${path}.`);
  }
}
