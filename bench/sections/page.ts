import { hostScope } from '../../host/tools/access.ts';
import { openCallFeed } from '../../plugins/builtin-page/live/call-feed.ts';
import { openStreams } from '../../plugins/builtin-page/live/streams.ts';
import { kernel } from '../../test/kit/dispatch.ts';
import { echoTool } from '../../test/kit/source.ts';
import { launchBrowser, noBrowser } from '../../test/kit/web/chromium.ts';
import type { Row, Section } from '../kit/section.ts';
import { interleaved, median, timed } from '../kit/statistics.ts';
import { measureBusyTrace } from '../page/busy-trace.ts';
import { measureFirstLoad } from '../page/first-load.ts';
import { measureLongChat } from '../page/long-chat.ts';
import { measureManyTools } from '../page/many-tools.ts';
import { measureMemory } from '../page/memory.ts';

const rounds = 200;
const callsPerRound = 200;

export const page: Section = {
  name: 'page',
  title: 'The page in the browser',
  about:
    'What an open page adds to each call of its host; one that nobody looks at follows nothing. Then, in Chromium: the memory of the host, the first load, 10,000 tools, a long chat, and 2,000 calls a second for a minute.',
  measure: async () => [...(await callsOfHost()), ...(noBrowser === undefined ? await inBrowser() : [])],
};

async function callsOfHost(): Promise<readonly Row[]> {
  const { dispatch, registry } = await kernel([echoTool({ execute: () => 'done' })]);
  const request = {
    name: [...registry.snapshot.tools.keys()][0]!,
    args: {},
    scope: hostScope,
    caller: 'bench',
  } as const;
  const microseconds = async (): Promise<number> => {
    const milliseconds = await timed(async () => {
      for (let call = 0; call < callsPerRound; call++) await dispatch(request);
    });
    return (milliseconds * 1_000) / callsPerRound;
  };
  using streams = openStreams();
  const follow = (): Disposable =>
    openCallFeed(
      (row) => streams.sendCall(row),
      (text) => text,
    );
  const figures = await interleaved(rounds, {
    direct: microseconds,
    async open() {
      using _feed = follow();
      return await microseconds();
    },
    async left() {
      follow()[Symbol.dispose]();
      return await microseconds();
    },
  });
  const direct = median(figures.direct);
  return [
    { what: 'a call, while somebody looks', unit: 'µs', direct, pegboard: median(figures.open) },
    {
      what: 'a call, when nobody looks any more',
      unit: 'µs',
      direct,
      pegboard: median(figures.left),
      target: { of: 'difference', atMost: 3 },
    },
  ];
}

async function inBrowser(): Promise<readonly Row[]> {
  await using browser = await launchBrowser();
  return [
    ...(await measureMemory(browser)),
    ...(await measureFirstLoad(browser)),
    ...(await measureManyTools(browser)),
    ...(await measureLongChat(browser)),
    ...(await measureBusyTrace(browser)),
  ];
}
