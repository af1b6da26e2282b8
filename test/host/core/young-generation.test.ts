import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const megabyte = 1024 * 1024;

/**
 * The size of the young generation in a process that allocates many objects, of which half a megabyte survives at a
 * time.
 */
async function roomAfterWork(begin: string): Promise<number> {
  const work = `
    import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
    import { setImmediate } from 'node:timers/promises';
    import { growYoungGenerationWhenBusy } from ${JSON.stringify(new URL('../../../host/core/young-generation.ts', import.meta.url).href)};
    setFlagsFromString('--semi-space-growth-factor=1');
    ${begin}
    const kept = [];
    for (let i = 0; i < 400; i++) {
      for (let j = 0; j < 2000; j++) kept.push({ j });
      if (kept.length > 20_000) kept.splice(0, 10_000);
      await setImmediate();
    }
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(space.space_used_size + space.space_available_size);
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', work]);
  return Number(stdout);
}

test('a busy host gets 4 MB for new objects, and not the 16 MB that V8 would take', async () => {
  expect(await roomAfterWork('')).toBeLessThan(2 * megabyte);
  const room = await roomAfterWork('growYoungGenerationWhenBusy();');
  expect(room).toBeGreaterThan(3.9 * megabyte);
  expect(room).toBeLessThanOrEqual(8 * megabyte);
});
