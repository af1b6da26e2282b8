import { hostScope } from '../../host/tools/access.ts';
import type { Tool } from '../../host/api/tool.ts';
import { silentLogger } from '../../host/core/log.ts';
import { createAudit } from '../../host/store/audit.ts';
import { kernel } from '../../test/kit/dispatch.ts';
import { echoTool } from '../../test/kit/source.ts';
import { openHome } from '../kit/home.ts';
import type { Row, Section } from '../kit/section.ts';
import { interleaved, median, timed } from '../kit/statistics.ts';

const rounds = 200;
const callsPerRound = 200;

export const dispatch: Section = {
  name: 'dispatch',
  title: 'Dispatch of a tool in the same process',
  about:
    'A tool that does nothing: its `execute` called directly, and dispatched through all seven stages, with its line in the audit (a host also waits until that is in the file, which takes 3 µs more); then with four arguments to check, and with a hook before and one after it.',
  async measure() {
    const parameters = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        count: { type: 'integer', minimum: 0, default: 3 },
        level: { type: 'string', enum: ['low', 'high'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['text'],
    };
    const args = { text: 'some text', level: 'low', tags: ['a', 'b'] };
    const hooks = [
      { name: 'bench', hooks: { preTool: async () => undefined, postTool: async () => undefined } },
    ];
    return [
      await compare('no arguments', noop({}), {}),
      await compare('four arguments checked', noop({ parameters }), args),
      await compare('four arguments and two hooks', noop({ parameters }), args, hooks),
    ];
  },
};

const noop = (parts: Partial<Tool>): Tool => echoTool({ execute: () => 'done', ...parts });

async function compare(
  what: string,
  tool: Tool,
  args: object,
  hooks: NonNullable<Parameters<typeof kernel>[1]>['hooks'] = [],
): Promise<Row> {
  using home = openHome();
  using audit = createAudit(home.folder, silentLogger);
  const { dispatch, registry } = await kernel([tool], { hooks, audit });
  const request = {
    name: [...registry.snapshot.tools.keys()][0]!,
    args,
    scope: hostScope,
    caller: 'bench',
  } as const;
  const { error } = await dispatch(request);
  if (error) throw new Error(error.message);
  const direct = tool.execute.bind(tool) as (args: object) => unknown;
  const figures = await interleaved(rounds, {
    direct: () => microseconds(() => direct(args)),
    dispatched: () => microseconds(() => dispatch(request)),
  });
  return {
    what,
    unit: 'µs',
    direct: median(figures.direct),
    pegboard: median(figures.dispatched),
    target: { of: 'difference', atMost: 10 },
  };
}

/** Time of one call, averaged over a round. */
async function microseconds(work: () => unknown): Promise<number> {
  const milliseconds = await timed(async () => {
    for (let call = 0; call < callsPerRound; call++) await work();
  });
  return (milliseconds * 1000) / callsPerRound;
}
