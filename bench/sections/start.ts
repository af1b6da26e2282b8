import { spawnSync } from 'node:child_process';
import { openHome } from '../kit/home.ts';
import { cloneEntry, packageEntry } from '../kit/installation.ts';
import type { Target, Row, Section } from '../kit/section.ts';
import { interleaved, median, timed } from '../kit/statistics.ts';

const rounds = 15;

export const start: Section = {
  name: 'start',
  title: 'Start of a command',
  about:
    'Wall time of a whole process, from spawn to exit. Direct: Node with an empty program (`node -e 0`). Pegboard: `pegboard --version`, and `pegboard call` of a Markdown tool that runs `echo`; from the built package and from a clone.',
  async measure() {
    using home = openHome();
    const call = ['call', 'bench.hello', 'who=World', '--home', home.folder];
    const figures = await interleaved(rounds, {
      node: () => run(['-e', '0'], ''),
      packageVersion: () => run([packageEntry(), '--version'], '0.'),
      packageCall: () => run([packageEntry(), ...call], 'Hello World'),
      cloneVersion: () => run([cloneEntry, '--version'], '0.'),
      cloneCall: () => run([cloneEntry, ...call], 'Hello World'),
    });
    const row = (what: string, times: readonly number[], target?: Target): Row => ({
      what,
      unit: 'ms',
      direct: median(figures.node),
      pegboard: median(times),
      ...(target && { target }),
    });
    return [
      row('--version', figures.packageVersion, { of: 'difference', atMost: 60 }),
      row('call of a Markdown tool', figures.packageCall, { of: 'difference', atMost: 150 }),
      row('--version, clone', figures.cloneVersion),
      row('call of a Markdown tool, clone', figures.cloneCall),
    ];
  },
};

function run(args: readonly string[], expected: string): Promise<number> {
  return timed(() => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0 || !stdout.includes(expected))
      throw new Error(`${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  });
}
