import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChannelUnderTest, SaidMessage } from './channel-under-test.ts';

const shipped = join(import.meta.dirname, '../../../spaces/example/folder-channel');
const pollMs = 20;

/** The channel of the example space, in the home's folder `letters`. */
export function startFolder(home: string): Promise<ChannelUnderTest> {
  const letters = join(home, 'letters');
  for (const who of ['anna', 'ben']) mkdirSync(join(letters, who), { recursive: true });
  let last = '';
  let next = 1;
  const closing = new AbortController();
  const listeners: (() => void)[] = [];
  const seen = new Set<string>();
  const away = (path: string): string => `${path}.away`;
  const answers = (who: string): readonly string[] =>
    namesIn(join(letters, who))
      .filter((name) => name.startsWith('answer-'))
      .toSorted((one, other) => numberOf(one) - numberOf(other));
  const look = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      for (const path of ['anna', 'ben'].flatMap((who) => answers(who).map((name) => join(who, name)))) {
        if (seen.has(path)) continue;
        seen.add(path);
        for (const listener of listeners) listener();
      }
      await delay(pollMs);
    }
  };
  const looking = look();
  const until = async <T>(find: () => T | undefined | false): Promise<T> => {
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      await delay(pollMs);
    }
  };
  const files = ['plugin.yaml', 'index.ts', 'driver.ts'].map((name) => [
    `plugins/folder-channel/${name}`,
    readFileSync(join(shipped, name), 'utf8'),
  ]);
  return Promise.resolve({
    name: 'folder',
    messageTag: 'folder',
    ids: { anna: 'anna', ben: 'ben' },
    files: Object.fromEntries(files) as { readonly [file: string]: string },
    plugins: { 'folder-channel': { trusted: true } },
    environment: {},
    hasButtons: false,
    async write(who, text) {
      last = join(letters, who, `${String(next++).padStart(4, '0')}.txt`);
      writeFileSync(last, text);
    },
    async repeat() {
      // As if the process had ended before it could record the event: the same file is there again.
      renameSync(`${last}.taken`, last);
    },
    async press() {
      throw new Error('a folder has no buttons');
    },
    sentTo: (who) =>
      answers(who).map((name): SaidMessage => ({
        id: name,
        text: readFileSync(join(letters, who, name), 'utf8').trimEnd(),
        buttons: [],
      })),
    refuse(what) {
      const folder = what === 'account' ? letters : join(letters, what);
      renameSync(folder, away(folder));
      writeFileSync(folder, 'no folder any more');
      return {
        [Symbol.dispose]() {
          unlinkSync(folder);
          renameSync(away(folder), folder);
        },
      };
    },
    async taken() {
      await until(() =>
        ['anna', 'ben'].every(
          (who) => !readdirSync(join(letters, who)).some((name) => name.endsWith('.txt')),
        ),
      );
    },
    onArrival: (listener) => void listeners.push(listener),
    until,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await looking;
    },
  });
}

/** None if it is away. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const numberOf = (name: string): number => Number(/\d+/.exec(name)![0]);
