import { renameSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from 'chokidar';
import { watchTree } from '../../host/core/files/watch.ts';
import { manifest, manifestPath, openHome } from '../kit/home.ts';
import type { Row, Section } from '../kit/section.ts';
import { cpuTimed, interleaved, median, timed } from '../kit/statistics.ts';

const manifests = 1000;
const saves = 40;
/** Milliseconds after which both have finished handling a save. */
const settleMs = 150;

const kinds = {
  'in place': writeFileSync,
  'by renaming': (path: string, text: string): void => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  },
} as const;

/** Resolves when it detects changes. */
type Watching = (folder: string, onPath: (path: string) => void) => Promise<() => unknown>;

const ours: Watching = async (folder, onPath) => {
  const watcher = watchTree(folder, (paths) => paths.forEach(onPath));
  return () => watcher[Symbol.dispose]();
};

const chokidar: Watching = async (folder, onPath) => {
  const watcher = watch(folder, { ignoreInitial: true, atomic: false, persistent: false });
  watcher.on('all', (_event, path) => onPath(path));
  await new Promise<void>((resolve) => watcher.on('ready', resolve));
  return () => watcher.close();
};

export const watching: Section = {
  name: 'watching',
  title: 'Watching a folder of manifests',
  about:
    'A home with 1,000 manifests in one folder, each side its own. Direct: chokidar, which reports each event at once. Pegboard: `host/core/files/watch.ts`, which waits 15 ms for further events of the same save. Milliseconds until changes are seen; from a save until its path is reported; and of processor time that a save takes.',
  async measure() {
    await using opened = new AsyncDisposableStack();
    // Neither watcher keeps this process alive.
    const awake = setInterval(() => {}, 1000);
    opened.defer(() => clearInterval(awake));
    const open = async (side: Watching) => {
      const home = opened.use(openHome({ manifests }));
      let reported = Promise.withResolvers<void>();
      let awaited = '';
      const start = await timed(async () => {
        const close = await side(home.folder, (path) => path === awaited && reported.resolve());
        opened.defer(async () => void (await close()));
      });
      const save = async (index: number, write: (path: string, text: string) => void) => {
        [reported, awaited] = [Promise.withResolvers(), home.path(manifestPath(index))];
        let latency = 0;
        const cpu = await cpuTimed(async () => {
          latency = await timed(() => {
            write(awaited, manifest(index, `Description of save ${saved++}`));
            return reported.promise;
          });
          await delay(settleMs);
        });
        return { latency, cpu };
      };
      return { start, save };
    };
    let saved = 0;
    const sides = { direct: await open(chokidar), pegboard: await open(ours) };
    const rows: Row[] = [
      { what: 'start', unit: 'ms', direct: sides.direct.start, pegboard: sides.pegboard.start },
    ];
    for (const [kind, write] of Object.entries(kinds)) {
      const next = (side: keyof typeof sides) => () => sides[side].save((saved * 7) % manifests, write);
      const { direct, pegboard } = await interleaved(saves, {
        direct: next('direct'),
        pegboard: next('pegboard'),
      });
      const row = (what: string, of: 'latency' | 'cpu', target?: Row['target']): Row => ({
        what: `saved ${kind}: ${what}`,
        unit: 'ms',
        direct: median(direct.map((one) => one[of])),
        pegboard: median(pegboard.map((one) => one[of])),
        ...(target && { target }),
      });
      rows.push(row('reported, p50', 'latency'), row('CPU', 'cpu', { of: 'ratio', atMost: 1.5 }));
    }
    return rows;
  },
};
