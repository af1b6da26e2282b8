import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveHttp } from '../../host/faces/mcp-server/http.ts';
import { openFront } from '../fixtures/conformance/front.ts';
import { conformanceHost } from '../fixtures/conformance/host.ts';
import { documentedFailures, requirementsOf, runConformance } from '../kit/conformance.ts';

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
  }, 120_000);
});

async function serve(): Promise<string> {
  const front = await openFront();
  const names = [`localhost:${front.port}`, `127.0.0.1:${front.port}`];
  const server = await serveHttp(await conformanceHost(), {
    port: 0,
    hosts: names,
    origins: names.map((name) => `http://${name}`),
  });
  front.to(server.port, server.token);
  onTestFinished(async () => {
    await front[Symbol.asyncDispose]();
    await server.close();
  });
  return `http://localhost:${front.port}/mcp`;
}
