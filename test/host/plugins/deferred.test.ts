import { expect, test } from 'vitest';
import { createDeferred, type Deferred } from '../../../host/plugins/deferred.ts';
import type { PluginManifest } from '../../../host/plugins/loading/manifest.ts';

const plugin = (id: string, ...plugins: readonly string[]): PluginManifest =>
  ({ id, requires: { plugins } }) as unknown as PluginManifest;

/** Three that wait: `c` requires `b`, and `b` requires `a`. A set-up ends when the test lets it. */
function waiting(): {
  readonly deferred: Deferred;
  readonly starts: string[];
  readonly end: () => Promise<void>;
} {
  const starts: string[] = [];
  const running: PromiseWithResolvers<void>[] = [];
  const deferred = createDeferred((manifests) => {
    starts.push(manifests.map(({ id }) => id).join(' '));
    running.push(Promise.withResolvers());
    return running.at(-1)!.promise;
  });
  deferred.add([plugin('a'), plugin('b', 'a'), plugin('c', 'b'), plugin('d')]);
  return {
    deferred,
    starts,
    async end() {
      await new Promise((done) => setImmediate(done));
      running.shift()?.resolve();
      await new Promise((done) => setImmediate(done));
    },
  };
}

test('one is set up with those that it requires, before it', async () => {
  const { deferred, starts, end } = waiting();
  const activated = deferred.activate('b');
  await end();
  await activated;
  expect(starts).toEqual(['a b']);
  expect(deferred.waiting.map(({ id }) => id)).toEqual(['c', 'd']);
});

test('each is set up once, whoever asks', async () => {
  const { deferred, starts, end } = waiting();
  const all = [
    deferred.activate('a'),
    deferred.activate('c'),
    deferred.activate('a'),
    deferred.complete(),
    deferred.activate('d'),
  ];
  await end();
  await end();
  await end();
  await Promise.all(all);
  expect(starts).toEqual(['a', 'b c', 'd']);
  expect(deferred.waiting).toEqual([]);
});

test('where none waits there is nothing to do, and later ones wait again', async () => {
  const { deferred, starts, end } = waiting();
  const empty = createDeferred(async () => {});
  await empty.complete();
  empty.add([plugin('late')]);
  expect(empty.waiting).toHaveLength(1);
  const done = deferred.complete();
  await end();
  await done;
  await deferred.activate('unknown');
  expect(starts).toEqual(['a b c d']);
});
