import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../../kit/homes/clone.ts';
import { findBase } from './base-image.ts';
import { build, builder, openEngine, run, type Engine } from './engine.ts';

const name = `pegboard-test-${process.pid}`;
const image = `localhost/${name}`;
const owned = new AsyncDisposableStack();

/** Why no image can be built here. */
let unbuilt: string | undefined;
/** A string says why no container can be started here. */
let engine: Engine | string = 'no image was built';

/** Debian's packages, npm's and the build: minutes on a slow connection. */
const timeout = 1_200_000;

beforeAll(async () => {
  const [, named = ''] =
    /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(repository, 'Dockerfile'), 'utf8')) ?? [];
  const base = await findBase(named);
  if (typeof base === 'string') return void (unbuilt = base);
  owned.defer(base.remove);
  await build(image, base.image);
  owned.defer(async () => {
    await run(builder!, ['rmi', '--force', image]);
  });
  engine = await openEngine(image);
}, timeout);
afterAll(() => owned.disposeAsync(), timeout);

test('the image builds from the Dockerfile', (context) => {
  context.skip(unbuilt !== undefined, unbuilt);
  expect(unbuilt).toBeUndefined();
});

/** As compose.yaml confines it. No port is published: machines that are containers themselves have no bridge. */
const confined = [
  '--network=none',
  '--read-only',
  '--tmpfs=/tmp:mode=1777,size=256m',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
];

interface Container extends AsyncDisposable {
  /** In the container. */
  exec(...argv: readonly string[]): Promise<string>;
}

/** Started and healthy. */
async function startContainer({ start, podman, tries }: Engine, volume: string): Promise<Container> {
  await start('--detach', `--name=${name}`, ...confined, `--volume=${volume}:/data`, image);
  const until = Date.now() + 120_000;
  while (!(await tries('healthcheck', 'run', name)))
    if (Date.now() > until) throw new Error(`it did not get well: ${await podman('logs', name)}`);
  return {
    exec: (...argv) => podman('exec', name, ...argv),
    [Symbol.asyncDispose]: async () => void (await podman('rm', '--force', name)),
  };
}

test('a container gets well as a user without rights, ends when it is told to, and finds its home again', async (context) => {
  if (typeof engine === 'string') return context.skip(engine);
  const { podman, tries } = engine;
  const volume = `${name}-volume`;
  await podman('volume', 'create', volume);
  try {
    {
      await using first = await startContainer(engine, volume);
      expect((await first.exec('id', '-u')).trim()).toBe('10001');
      expect(await tries('exec', name, 'touch', '/opt/pegboard/written')).toBe(false);
      await first.exec('pegboard', 'new', 'tool', 'greet');
      await first.exec('sh', '-c', 'printf sk-kept | pegboard secret set KEPT_KEY');
      expect(await first.exec('pegboard', 'secret', 'list')).toContain('KEPT_KEY');
      await podman('stop', '--time=30', name);
      expect((await podman('inspect', '--format={{.State.ExitCode}}', name)).trim()).toBe('0');
    }
    // Another container on the same volume, as after an upgrade: nothing is asked, and what was there still is.
    await using second = await startContainer(engine, volume);
    expect(await second.exec('pegboard', 'secret', 'list')).toContain('KEPT_KEY');
    expect(await second.exec('pegboard', 'tools')).toContain('greet');
  } finally {
    await podman('rm', '--force', '--ignore', name);
    await podman('volume', 'rm', '--force', volume);
  }
});
