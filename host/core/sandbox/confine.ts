import { closeSync } from 'node:fs';
import { PegboardError } from '../errors.ts';
import { requireSandbox } from './availability.ts';
import { bubblewrapArgv } from './bubblewrap.ts';
import { openCallFilter } from './call-filter.ts';
import { planMounts, type Confinement } from './mount-plan.ts';

export { limitsOf } from './rule.ts';

/** A program as it is to be started. */
export interface Confined {
  readonly argv: readonly string[];
  /** What it gets beside its standard streams, from descriptor 3 on. To be closed by `started`. */
  readonly descriptors: readonly number[];
  /** To be called once it has been started, or couldn't be. */
  readonly started: () => void;
  /** To be called when nothing of it runs any more. Tells in a sentence what it left that decides what runs. */
  readonly ended: () => string | undefined;
}

/** The same program, confined. `who` it is, for people. Throws PEG_NO_SANDBOX where there is no bubblewrap that works. */
export async function confine(
  argv: readonly string[],
  {
    who,
    cwd,
    confinement,
  }: { readonly who: string; readonly cwd: string; readonly confinement: Confinement },
): Promise<Confined> {
  const { sandbox } = confinement;
  await requireSandbox(who, sandbox);
  const plan = planMounts(confinement);
  // Written once; after that it is merely opened.
  const filter = openCallFilter(sandbox.network);
  const descriptors = filter === undefined ? [] : [filter];
  return {
    argv: bubblewrapArgv(sandbox, plan, argv, { cwd, isFiltered: filter !== undefined }),
    descriptors,
    started: () => descriptors.forEach(closeSync),
    ended: () => describeAside(plan.close()),
  };
}

function describeAside(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  return `[sandbox] These were made under names that decide what runs, and have been renamed: ${paths.join(', ')}`;
}

/** Tells what bubblewrap itself says of a program that never ran: PEG_PROGRAM_NOT_FOUND, PEG_COMMAND_FAILED. */
export function checkConfined(
  { exitCode, stderr }: { readonly exitCode: number | null; readonly stderr: string },
  { argv, confinement }: { readonly argv: readonly string[]; readonly confinement?: Confinement | undefined },
): void {
  if (exitCode === 0 || !stderr.startsWith('bwrap: ')) return;
  const [program = ''] = argv;
  const said = stderr.slice('bwrap: '.length).trim();
  if (!said.startsWith('execvp ')) {
    throw new PegboardError('PEG_COMMAND_FAILED', `The sandbox for ${program} could not be made: ${said}`);
  }
  const seen =
    confinement?.sandbox.level === 'strict' ? '; "read" of the sandbox shows more folders to it' : '';
  throw new PegboardError(
    'PEG_PROGRAM_NOT_FOUND',
    `The program "${program}" could not be run in its sandbox: it is not installed, not in PATH, or not in sight there${seen}.`,
    { data: { program } },
  );
}
