import { closeSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../api/sandbox.ts';
import { PegboardError } from '../errors.ts';
import { sandboxProgram } from '../platform/sandboxes.ts';
import { thisPlatform } from '../platform/this-platform.ts';
import { requireSandbox } from './availability.ts';
import { bubblewrapArgv } from './bubblewrap.ts';
import { openCallFilter } from './call-filter.ts';
import { boundaryOf, type Boundary, type Confinement } from './boundary.ts';
import { planMounts } from './mount-plan.ts';
import { seatbeltProfile } from './seatbelt.ts';

export { limitsOf } from './rule.ts';

/** A program ready to be started. */
export interface Confined {
  readonly argv: readonly string[];
  /** Whether the first process ends all others when it ends, so that it should be ended last. */
  readonly goesLast: boolean;
  /** Descriptors from 3 on that it gets besides its standard streams. `started` closes them. */
  readonly descriptors: readonly number[];
  /** Call it when the program was started or failed to start. */
  readonly started: () => void;
  /** Call it when no process is left. Returns a sentence about created files that decide what runs. */
  readonly ended: () => string | undefined;
}

export interface ConfineOptions {
  /** The owner of the program, for messages. */
  readonly who: string;
  readonly cwd: string;
  readonly confinement: Confinement;
  /** Default: this machine's. */
  readonly platform?: NodeJS.Platform;
}

/** The same program in a sandbox. Throws PEG_NO_SANDBOX when none is available. */
export async function confine(argv: readonly string[], options: ConfineOptions): Promise<Confined> {
  const { who, cwd, confinement, platform = thisPlatform } = options;
  const { sandbox } = confinement;
  await requireSandbox(who, sandbox, platform);
  const boundary = boundaryOf(confinement);
  return sandboxProgram(platform)?.kind === 'seatbelt'
    ? bySeatbelt(argv, sandbox, boundary)
    : byBubblewrap(argv, { sandbox, boundary, cwd });
}

function byBubblewrap(
  argv: readonly string[],
  {
    sandbox,
    boundary,
    cwd,
  }: { readonly sandbox: Sandbox; readonly boundary: Boundary; readonly cwd: string },
): Confined {
  const plan = planMounts(boundary);
  // Written once and then only opened.
  const filter = openCallFilter(sandbox.network);
  const descriptors = filter === undefined ? [] : [filter];
  return {
    argv: bubblewrapArgv(sandbox, plan, argv, { cwd, isFiltered: filter !== undefined }),
    goesLast: true,
    descriptors,
    started: () => descriptors.forEach(closeSync),
    ended: () => describeAside(plan.close()),
  };
}

function bySeatbelt(argv: readonly string[], { level, network }: Sandbox, boundary: Boundary): Confined {
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'pegboard-')));
  const profile = seatbeltProfile({ level, network, boundary, temporary });
  const home = level === 'strict' ? [`HOME=${temporary}`] : [];
  return {
    argv: ['sandbox-exec', '-p', profile, '/usr/bin/env', `TMPDIR=${temporary}`, ...home, ...argv],
    goesLast: false,
    descriptors: [],
    started: () => {},
    ended() {
      rmSync(temporary, { recursive: true, force: true });
      return undefined;
    },
  };
}

function describeAside(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  return `[sandbox] Files with names that decide what runs were created, and have been renamed: ${paths.join(', ')}`;
}

/** Throws the error of the sandbox itself if the program never ran: PEG_PROGRAM_NOT_FOUND, PEG_COMMAND_FAILED. */
export function checkConfined(
  { exitCode, stderr }: { readonly exitCode: number | null; readonly stderr: string },
  { argv, confinement }: { readonly argv: readonly string[]; readonly confinement?: Confinement | undefined },
): void {
  const [, tool, said = ''] = /^(bwrap|sandbox-exec|env): (.*)/s.exec(stderr) ?? [];
  if (exitCode === 0 || tool === undefined) return;
  const [program = ''] = argv;
  const isMissing =
    tool === 'env' ? exitCode === 127 && said.startsWith(`${program}: `) : said.startsWith('execvp');
  if (tool === 'env' && !isMissing) return;
  if (!isMissing) {
    throw new PegboardError(
      'PEG_COMMAND_FAILED',
      `The sandbox for ${program} could not be made: ${said.trim()}`,
    );
  }
  const seen =
    confinement?.sandbox.level === 'strict' ? '; "read" of the sandbox shows more folders to it' : '';
  throw new PegboardError(
    'PEG_PROGRAM_NOT_FOUND',
    `The program "${program}" could not be run in its sandbox: it is not installed, not in PATH, or not visible there${seen}.`,
    { data: { program } },
  );
}
