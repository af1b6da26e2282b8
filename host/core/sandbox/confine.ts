import { PegboardError } from '../errors.ts';
import { requireSandbox } from './availability.ts';
import { bubblewrapArgv, type Confinement } from './bubblewrap.ts';

export { limitsOf } from './rule.ts';

/** The same program, confined. `who` it is, for people. Throws PEG_NO_SANDBOX where there is no bubblewrap that works. */
export async function confine(
  argv: readonly string[],
  {
    who,
    cwd,
    confinement,
  }: { readonly who: string; readonly cwd: string; readonly confinement: Confinement },
): Promise<readonly string[]> {
  await requireSandbox(who, confinement.sandbox);
  return bubblewrapArgv(confinement, argv, cwd);
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
