import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { createHost } from '../../../../host/create-host.ts';
import { createManifestDirectory } from '../../../../host/sources/manifests/files/directory.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { manifestContext } from '../../../kit/homes/manifest-context.ts';
import { growth } from '../../../kit/growth.ts';
import { waitedForOthers } from '../../../kit/data/waited-for-others.ts';

const tools = 'spaces/s/agent/tools';

/** A manifest of usual size: two parameters, a command, some documentation. */
const usual = (id: string, greeting = 'Hello'): string =>
  manifest(
    id,
    `category: text
parameters:
  - name: who
    type: string
    description: Whom to greet
    required: true
  - name: loud
    type: boolean
    description: Say it twice
    default: false
command: echo "${greeting}, {{who}}" {{loud}}
timeout: 30`,
    '\n# A tool\n\nSome words about it.\n',
  );

async function homeWith(count: number): Promise<TestHome> {
  const home = await createHome({ [`${tools}/t0.md`]: usual('t0') });
  for (let index = 1; index < count; index++) {
    writeFileSync(join(home.path, tools, `t${index}.md`), usual(`t${index}`));
  }
  return home;
}

/** Milliseconds until a saved manifest is in service, without time in which others had the processor. */
async function timesWith(count: number): Promise<readonly number[]> {
  await using home = await homeWith(count);
  await using host = await createHost({ home: home.path, mcp: 'off', watch: true });
  const times: number[] = [];
  for (let round = 0; round < 40; round++) {
    const id = `t${(round * 7) % count}`;
    const file = join(home.path, tools, `${id}.md`);
    const before = host.registry.snapshot.tools.get(`s.${id}`)?.fingerprint;
    const taken = new Promise<void>((resolve) => {
      const listening = host.registry.onChange(({ tools: now }) => {
        if (now.get(`s.${id}`)?.fingerprint === before) return;
        listening[Symbol.dispose]();
        resolve();
      });
    });
    if (round % 2 === 0) writeFileSync(file, usual(id, `Round ${round}`));
    else {
      writeFileSync(`${file}.tmp`, usual(id, `Round ${round}`));
      renameSync(`${file}.tmp`, file);
    }
    // Measured from here, because writing the file may have waited for the disk.
    const saved = performance.now() - waitedForOthers();
    await taken;
    times.push(performance.now() - waitedForOthers() - saved);
  }
  return times;
}

test('with 1,000 manifests present, a saved one is in service within 100 ms, and not much later than with ten', async () => {
  const fastest = Math.min(...(await timesWith(1_000)));
  expect(fastest).toBeLessThan(100);
  expect(fastest).toBeLessThan(3 * Math.min(...(await timesWith(10))));
});

test('registering a manifest costs at most five times what reading and parsing its YAML does', async () => {
  const count = 2_000;
  await using home = await homeWith(count);
  const folder = join(home.path, tools);
  const register = async (): Promise<void> => {
    const source = createManifestDirectory({
      folder,
      root: join(home.path, 'spaces/s'),
      module: 's',
      kind: 'manifest',
      description: 'Tools of the test',
      context: manifestContext(),
    });
    expect((await source.list()).tools).toHaveLength(count);
  };
  const parse = (): void => {
    for (const name of readdirSync(folder)) {
      const [, head = ''] = readFileSync(join(folder, name), 'utf8').split(/^---$/m);
      expect(load(head)).toBeTruthy();
    }
  };
  expect(await growth(parse, register, 5)).toBeLessThan(5);
});
