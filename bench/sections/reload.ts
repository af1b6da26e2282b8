import { renameSync, watch, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { connect, untilListed } from '../kit/client.ts';
import { manifest, manifestPath, openHome } from '../kit/home.ts';
import { serveHttp } from '../kit/installation.ts';
import type { Row, Section } from '../kit/section.ts';
import { quantile } from '../kit/statistics.ts';

const manifests = 1000;
const saves = 60;

export const reload: Section = {
  name: 'reload',
  title: 'From saving a manifest to its announcement',
  about:
    'A home with 1,000 manifests is served over HTTP; one of them is saved with another description, by writing in place and by renaming over it in turn. Pegboard: until the client gets the notification that the list changed, and until a list that it then requests, with all 1,000 tools in it, has the new description. Direct: until `fs.watch` in the measuring process reports the same save.',
  async measure() {
    using home = openHome({ manifests });
    await using pegboard = await serveHttp(home.folder);
    await using opened = new AsyncDisposableStack();
    let announced = Promise.withResolvers<void>();
    let reported = Promise.withResolvers<void>();
    const client = opened.adopt(
      await connect(pegboard, {
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => announced.resolve() } },
      }),
      (client) => client.close(),
    );
    await untilListed(client, (tools) => tools.length >= manifests);
    const watcher = watch(dirname(home.path(manifestPath(0))), () => reported.resolve());
    opened.defer(() => watcher.close());

    const figures: Record<'reported' | 'announced' | 'visible', number[]> = {
      reported: [],
      announced: [],
      visible: [],
    };
    for (let save = 0; save < saves; save++) {
      const description = `Description of save ${save}`;
      const path = home.path(manifestPath(save * 7));
      [announced, reported] = [Promise.withResolvers(), Promise.withResolvers()];
      const start = performance.now();
      const since = (): number => performance.now() - start;
      if (save % 2 === 0) writeFileSync(path, manifest(save * 7, description));
      else {
        writeFileSync(`${path}.new`, manifest(save * 7, description));
        renameSync(`${path}.new`, path);
      }
      await reported.promise;
      figures.reported.push(since());
      await announced.promise;
      figures.announced.push(since());
      await untilListed(client, (tools) => tools.some((tool) => tool.description?.startsWith(description)));
      figures.visible.push(since());
    }
    const row = (what: string, times: readonly number[], share: number, target?: Row['target']): Row => ({
      what,
      unit: 'ms',
      direct: quantile(figures.reported, share),
      pegboard: quantile(times, share),
      ...(target && { target }),
    });
    const target = { of: 'value', atMost: 100 } as const;
    return [
      row('announced, p50', figures.announced, 0.5),
      row('announced, p95', figures.announced, 0.95, target),
      row('listed, p50', figures.visible, 0.5),
      row('listed, p95', figures.visible, 0.95),
    ];
  },
};
