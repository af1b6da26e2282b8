import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openFront } from '../../fixtures/conformance/front.ts';
import { conformanceHome } from '../../fixtures/conformance/home.ts';
import { pegboard, startPegboard } from '../../kit/cli.ts';
import { documentedFailures, requirementsOf, runConformance } from '../../kit/mcp/conformance.ts';

describe.each(['2025-11-25', '2026-07-28'])('the server side of MCP %s', (revision) => {
  test('passes every required scenario, and fails only the others that the docs list', async () => {
    const url = await serve();
    const out = await mkdtemp(join(tmpdir(), 'conformance-'));
    onTestFinished(() => rm(out, { recursive: true }));

    const results = await runConformance(['server', '--url', url, '--requirements', revision], out);

    const { required, notScored } = await requirementsOf(revision, 'server');
    const failures = (names: readonly string[]): object =>
      Object.fromEntries(
        names.filter((name) => results.get(name)?.length !== 0).map((name) => [name, results.get(name)]),
      );
    expect(failures(required)).toEqual({});
    expect(Object.keys(failures(notScored)).sort()).toEqual(await documentedFailures(`Server, ${revision}`));
  }, 180_000);
});

async function serve(): Promise<string> {
  const front = await openFront();
  const names = [`localhost:${front.port}`, `127.0.0.1:${front.port}`];
  const token = 'only-for-this-test';
  const home = await conformanceHome(token, names);
  // From now on the upstream server's tools are known.
  await pegboard(['mcp', 'list'], { home: home.path });
  const serving = startPegboard(['serve', '--http', '0'], { home: home.path });
  onTestFinished(async () => {
    await front[Symbol.asyncDispose]();
    await serving[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });
  const shown = await serving.waitFor(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
  front.to(Number(/127\.0\.0\.1:(\d+)/.exec(shown)![1]), token);
  return `http://localhost:${front.port}/mcp`;
}
