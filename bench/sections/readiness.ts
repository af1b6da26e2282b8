import { join } from 'node:path';
import { connect, isEcho, untilListed } from '../kit/client.ts';
import { openHome, type Servers } from '../kit/home.ts';
import { clone, stdioArgs } from '../kit/installation.ts';
import type { Target, Row, Section } from '../kit/section.ts';
import { interleaved, median, timed } from '../kit/statistics.ts';

const rounds = 5;
const everything = {
  args: [join(clone, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
};
/** A server that starts, reads, and never answers. */
const hung = { args: ['-e', 'process.stdin.resume()'] };

export const readiness: Section = {
  name: 'readiness',
  title: 'From start to the first list',
  about:
    "From spawning the server's process to having its tool list, server-everything's tools in it, over stdio, by the SDK's client. Direct: server-everything itself. Pegboard has connected to it once before, in an earlier process, and lists it from what it remembered; in a new home there is nothing to remember, so that the list is complete only when the server has answered.",
  async measure() {
    using alone = openHome({ servers: { everything } });
    using withHung = openHome({ servers: { everything, hung } });
    const figures = await interleaved(rounds, {
      direct: () => untilFirstList(everything.args),
      alone: () => untilFirstList(stdioArgs(alone.folder)),
      withHung: () => untilFirstList(stdioArgs(withHung.folder)),
      fresh: () => inNewHome({ everything, hung }),
    });
    const row = (what: string, times: readonly number[], target?: Target): Row => ({
      what,
      unit: 'ms',
      direct: median(figures.direct),
      pegboard: median(times),
      ...(target && { target }),
    });
    const target: Target = { of: 'value', atMost: 300 };
    return [
      row('1 upstream', figures.alone, target),
      row('1 upstream and a hung one', figures.withHung, target),
      row('the same in a new home', figures.fresh),
    ];
  },
};

async function inNewHome(servers: Servers): Promise<number> {
  using home = openHome({ servers });
  return await untilFirstList(stdioArgs(home.folder));
}

async function untilFirstList(args: readonly string[]): Promise<number> {
  await using opened = new AsyncDisposableStack();
  return await timed(async () => {
    const client = opened.adopt(await connect({ args }), (client) => client.close());
    await untilListed(client, (tools) => tools.some(({ name }) => isEcho(name)));
  });
}
