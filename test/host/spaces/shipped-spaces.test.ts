import { execFileSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConfirmPolicy } from '../../../host/api/dispatch.ts';
import { createHost } from '../../../host/create-host.ts';
import type { Host } from '../../../host/host.ts';
import { testTools, type ExampleOutcome } from '../../../host/sources/manifests/check/test-tools.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { textOf } from '../../../host/tools/result.ts';
import { repository } from '../../kit/homes/clone.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';

describe('the spaces that come with Pegboard', () => {
  let home: TestHome;
  let host: Host;
  beforeAll(async () => {
    home = await createHome();
    // Without what the owner of this clone has added, as by the tour.
    const files = execFileSync('git', ['ls-files', '-z', 'spaces'], { cwd: repository, encoding: 'utf8' });
    for (const file of files.split('\0').slice(0, -1))
      await cp(join(repository, file), join(home.path, file));
    host = await createHost({ home: home.path, mcp: 'off' });
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  const own = () =>
    [...host.registry.snapshot.tools.values()].filter(({ source }) =>
      ['example', 'personal'].includes(source.module),
    );
  const call = (name: string, args: object, confirm: ConfirmPolicy = 'never') =>
    host.dispatch({ name, args, scope: hostScope, caller: 'test', confirm });
  const asked = async (name: string, args: object) => (await call(name, args, 'manifest')).error?.code;

  test('load without a diagnostic', () => {
    expect(host.diagnostics).toEqual([]);
    expect(own().length).toBeGreaterThan(12);
  });

  test('do what their examples say', async () => {
    const failed: ExampleOutcome[] = [];
    const tried = new Set<string>();
    const request = { scope: hostScope, caller: 'test', confirm: 'never' } as const;
    for await (const outcome of testTools(own(), host.dispatch, request)) {
      tried.add(outcome.tool);
      if (!outcome.ok) failed.push(outcome);
    }
    expect(failed).toEqual([]);
    const untried = own().filter(({ id }) => !tried.has(id) && id !== 'personal.add-note');
    expect(untried.map(({ id }) => id)).toEqual([]);
  });

  test('show every key of a manifest', async () => {
    const { toolSchema } = await import('../../../host/core/documents/file-schemas.ts');
    const { findManifests } = await import('../../../host/sources/manifests/files/manifest-files.ts');
    const { openManifestFile } = await import('../../../host/sources/manifests/read-manifest.ts');
    const folder = join(repository, 'spaces/example/agent/tools');
    const shown = new Set(
      findManifests(folder, [folder]).paths.flatMap((path) => {
        const opened = openManifestFile(path, [folder]);
        return 'document' in opened ? Object.keys(opened.document.value as object) : [];
      }),
    );
    // A tool of an MCP server or an HTTP API needs a server, which a fresh home doesn't have; a bridge tool a person; a
    // script other tools, and a file of its own (docs/scripts.md); a sandbox bubblewrap.
    const needMore = ['http', 'mcp', 'server', 'type', 'tool', 'arguments', 'script', 'sandbox'];
    expect(Object.keys(toolSchema.properties).filter((key) => !shown.has(key))).toEqual(needMore);
  });

  test('ask before a tool that is confirmed or unsafe, and a hook refuses a note with a password', async () => {
    expect(await asked('write-note', { text: 'Buy tea' })).toBe('PEG_NOBODY_TO_ASK');
    expect(await asked('evaluate', { expression: '1' })).toBe('PEG_NOBODY_TO_ASK');
    const { error } = await call('write-note', { text: 'my password is x' });
    expect(error).toMatchObject({ code: 'PEG_DENIED', stage: 'authorize' });
    expect(error?.message).toContain('no passwords go there');
  });

  test('keep notes in a file, whatever a note holds', async () => {
    const note = '- "quoted" $HOME `id`; rm *';
    expect(textOf(await call('add-note', { text: note }))).toBe('Noted.\n');
    expect(textOf(await call('list-notes', { word: 'QUOTED' }))).toContain(note);
    expect((await call('list-notes', { word: 'absent' })).structured).toEqual({ lines: [] });
    expect(await home.read('spaces/personal/notes.txt')).toContain(note);
  });
});
