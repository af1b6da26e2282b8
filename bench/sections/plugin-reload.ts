import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { connect, untilListed } from '../kit/client.ts';
import { openHome } from '../kit/home.ts';
import { serveHttp } from '../kit/installation.ts';
import type { Row, Section } from '../kit/section.ts';
import { quantile, timed } from '../kit/statistics.ts';

const saves = 40;
const module = 'counting/index.ts';

const manifest = `id: counting
version: "1.0.0"
description: Counts
packs:
  counting:
    description: Counts letters
`;

/** A plugin whose one tool has the number of the save in its name. */
const plugin = (save: number): string => `const tool = {
  name: 'count_${save}',
  description: 'Counts the letters of a text',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: ({ text }: { text: string }): string => String(text.length),
};
export default { setup: () => ({ packs: { counting: [tool] } }) };
`;

export const pluginReload: Section = {
  name: 'plugin-reload',
  title: "From saving a plugin's file to its new tool",
  about:
    'A home with one plugin of TypeScript is served over HTTP; its module is saved with a tool of another name. Pegboard: until the client has been told that the list changed, and until a list that it then asks for has the new tool. Direct: a new worker thread that imports the same file.',
  async measure() {
    using home = openHome({ plugins: { 'counting/plugin.yaml': manifest, [module]: plugin(0) } });
    await using pegboard = await serveHttp(home.folder);
    await using opened = new AsyncDisposableStack();
    let announced = Promise.withResolvers<void>();
    const client = opened.adopt(
      await connect(pegboard, {
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => announced.resolve() } },
      }),
      (client) => client.close(),
    );
    const isThere = (save: number) =>
      untilListed(client, (tools) => tools.some(({ name }) => name.endsWith(`count_${save}`)));
    await isThere(0);

    const path = home.path(`plugins/${module}`);
    const figures: Record<'direct' | 'announced' | 'visible', number[]> = {
      direct: [],
      announced: [],
      visible: [],
    };
    for (let save = 1; save <= saves; save++) {
      announced = Promise.withResolvers();
      const start = performance.now();
      writeFileSync(path, plugin(save));
      await announced.promise;
      figures.announced.push(performance.now() - start);
      await isThere(save);
      figures.visible.push(performance.now() - start);
      figures.direct.push(await timed(() => importInThread(path)));
    }
    const row = (what: string, times: readonly number[], share: number, target?: Row['target']): Row => ({
      what,
      unit: 'ms',
      direct: quantile(figures.direct, share),
      pegboard: quantile(times, share),
      ...(target && { target }),
    });
    return [
      row('announced, p50', figures.announced, 0.5),
      row('announced, p95', figures.announced, 0.95),
      row('listed, p50', figures.visible, 0.5),
      row('listed, p95', figures.visible, 0.95, { of: 'value', atMost: 200 }),
    ];
  },
};

async function importInThread(path: string): Promise<void> {
  const code = `import(${JSON.stringify(pathToFileURL(path).href)}).then(() => process.exit())`;
  const [exitCode] = await once(new Worker(code, { eval: true }), 'exit');
  if (exitCode !== 0) throw new Error(`${path} could not be imported`);
}
