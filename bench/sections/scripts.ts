import { createMetaSource } from '../../host/meta/source.ts';
import { scriptTools } from '../../plugins/builtin-scripts/tools.ts';
import { defaultScriptLimits } from '../../test/kit/script-limits.ts';
import { createScriptRunner } from '../../plugins/builtin-scripts/script-runner.ts';
import { kernel } from '../../test/kit/dispatch.ts';
import { echoTool } from '../../test/kit/source.ts';
import type { Row, Section, Target } from '../kit/section.ts';
import { interleaved, median } from '../kit/statistics.ts';
import { measureTasks, type How, type Spent, type World } from '../scripts/measure-tasks.ts';
import type { Task } from '../scripts/task.ts';

const rounds = 25;
const callsInARow = 200;

export const scripts: Section = {
  name: 'scripts',
  title: 'One script instead of many calls',
  about:
    'Processor time of this process with all its threads: a script that does nothing, once its thread is warm, next to one dispatch of a tool that does nothing; and each of 200 calls in a row of a script, next to 200 dispatches. Then 20 tasks of `bench/scripts` in the loop of an agent, whose scripted model makes no mistakes: direct with its calls as they are, in parallel where it can, and by Pegboard as one script. Tokens of four characters, of all requests with their lists of tools: shown directly, and searched for among 1,000 more.',
  async measure() {
    const direct = await measureTasks('direct');
    const discovery = await measureTasks('discovery');
    return [
      ...(await processorTime()),
      ...rowsOf('direct', direct, 0.5),
      ...rowsOf('discovery', discovery, 0.4),
    ];
  },
};

async function processorTime(): Promise<readonly Row[]> {
  const made = await kernel([echoTool({ execute: () => 'done' })]);
  const services = {
    snapshot: () => made.registry.snapshot,
    search: async () => [],
    dispatch: made.dispatch,
  };
  await using runner = createScriptRunner(
    { ...services, holdsSecret: () => false },
    () => defaultScriptLimits,
  );
  await made.registry.add(createMetaSource(services, scriptTools(runner)));
  const tool = [...made.registry.snapshot.tools.keys()].find((id) => id.endsWith('echo'))!;
  const run = async (code: string): Promise<void> => {
    const { error } = await made.call('run_script', { code });
    if (error) throw new Error(error.message);
  };
  const loop = `for (let at = 0; at < ${callsInARow}; at++) await tools.${tool}({});`;
  for (let warm = 0; warm < 5; warm++) await run(loop);
  const figures = await interleaved(rounds, {
    one: () => processorMs(() => made.call(tool)),
    script: () => processorMs(() => run('return 1')),
    all: () =>
      processorMs(async () => {
        for (let at = 0; at < callsInARow; at++) await made.call(tool);
      }),
    loop: () => processorMs(() => run(loop)),
  });
  const script = median(figures.script);
  const perCall = (ms: number): number => (ms * 1_000) / callsInARow;
  return [
    {
      what: 'warm script',
      unit: 'ms of CPU',
      direct: median(figures.one),
      pegboard: script,
      target: { of: 'value', atMost: 5 },
    },
    {
      what: 'call in a row',
      unit: 'µs of CPU',
      direct: perCall(median(figures.all)),
      pegboard: perCall(median(figures.loop) - script),
      target: { of: 'value', atMost: 200 },
    },
  ];
}

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function rowsOf(
  world: World,
  all: ReadonlyMap<Task, Readonly<Record<How, Spent>>>,
  atMostInput: number,
): readonly Row[] {
  const rows = [...all];
  const single = rows.filter(([task]) => task.kind === 'one call');
  const row = (
    what: string,
    unit: string,
    of: typeof rows,
    figure: (spent: readonly Spent[]) => number,
    target: Target,
  ): Row => ({
    what: `${world}: ${what}`,
    unit,
    direct: figure(of.map(([, { calls }]) => calls)),
    pegboard: figure(of.map(([, { script }]) => script)),
    target,
  });
  return [
    row('model calls', 'calls', rows, (of) => sum(of, 'modelCalls'), { of: 'ratio', atMost: 0.7 }),
    row('input', 'tokens', rows, (of) => sum(of, 'input'), { of: 'ratio', atMost: atMostInput }),
    row('input of tasks of one call', 'tokens', single, (of) => sum(of, 'input'), {
      of: 'ratio',
      atMost: 1.03,
    }),
    row('largest request', 'tokens', rows, (of) => Math.max(...of.map(({ largest }) => largest)), {
      of: 'value',
      atMost: 10_000,
    }),
  ];
}

const sum = (of: readonly Spent[], figure: keyof Spent): number =>
  of.reduce((all, spent) => all + spent[figure], 0);
