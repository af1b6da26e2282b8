import { hostScope } from '../../host/tools/access.ts';
import { openCallFeed } from '../../host/web/live/call-feed.ts';
import { openStreams } from '../../host/web/live/streams.ts';
import { kernel } from '../../test/kit/dispatch.ts';
import { echoTool, memorySource } from '../../test/kit/source.ts';
import { launchBrowser, noBrowser, openTab } from '../../test/kit/web/chromium.ts';
import { servePage } from '../../test/kit/web/served-page.ts';
import type { Row, Section } from '../kit/section.ts';
import { interleaved, median, timed } from '../kit/statistics.ts';

const rounds = 200;
const callsPerRound = 200;
const manyTools = 10_000;

export const page: Section = {
  name: 'page',
  title: 'The page in the browser',
  about:
    'What a served page adds to each call of its host: dispatched without a page, with one that nobody looks at, and with one that is open. Then, in Chromium, what a browser loads at first, and how long a letter in the search field of 10,000 tools takes to be drawn.',
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
  const figures = await interleaved(rounds, {
    direct: microseconds,
    async served() {
      using _feed = openCallFeed((text) => text);
      return await microseconds();
    },
    async open() {
      using feed = openCallFeed((text) => text);
      feed.follow((row) => streams.sendCall(row));
      return await microseconds();
    },
  });
  const direct = median(figures.direct);
  return [
    {
      what: 'a call, while nobody looks',
      unit: 'µs',
      direct,
      pegboard: median(figures.served),
      target: { of: 'difference', atMost: 3 },
    },
    { what: 'a call, while somebody looks', unit: 'µs', direct, pegboard: median(figures.open) },
  ];
}

async function inBrowser(): Promise<readonly Row[]> {
  await using served = await servePage();
  const tools = Array.from({ length: manyTools }, (_, at) =>
    echoTool({ name: `tool-${at}`, description: `Does the thing that has the number ${at}.` }),
  );
  await using _source = await served.host.registry.add(memorySource(tools, { module: 'many' }));
  await using browser = await launchBrowser();
  await using opened = await browser.newContext();
  let bytes = 0;
  opened.on('response', (response) => {
    if (/\.(?:js|css|html|svg)$|\/$/.test(new URL(response.url()).pathname))
      bytes += Number(response.headers()['content-length'] ?? 0);
  });
  const { tab } = await openTab(opened, served.link());
  const firstLoad = bytes / 1_024;
  await tab.goto(`${served.origin}/tools`);
  await tab.getByRole('option').first().waitFor();
  const letters = await tab.evaluate(async () => {
    const field = document.querySelector<HTMLInputElement>('input[type=search]')!;
    const times: number[] = [];
    for (const text of ['t', 'th', 'the', 'the n', 'the nu', 'the num', '9', '99', '999', '']) {
      const begin = performance.now();
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
      times.push(performance.now() - begin);
    }
    return times;
  });
  return [
    { what: 'first load, compressed', unit: 'KB', pegboard: firstLoad, target: { of: 'value', atMost: 60 } },
    {
      what: 'a letter in the search of 10,000 tools, the slowest of ten',
      unit: 'ms',
      pegboard: Math.max(...letters),
      target: { of: 'value', atMost: 50 },
    },
  ];
}
