import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { documentedFailures, requirementsOf, runConformance } from '../../kit/mcp/conformance.ts';

const command = `"${process.execPath}" "${join(import.meta.dirname, 'client-command.ts')}"`;

describe.each(['2025-11-25', '2026-07-28'])('the client side of MCP %s', (revision) => {
  test('passes every scenario but those that the docs list', async () => {
    const out = await mkdtemp(join(tmpdir(), 'conformance-'));
    onTestFinished(() => rm(out, { recursive: true }));

    // The suite starts all of its clients at once: on a small machine each of them is slow.
    const options = ['--requirements', revision, '--timeout', '150000'];
    const results = await runConformance(['client', '--command', command, ...options], out);

    const { required, notScored } = await requirementsOf(revision, 'client');
    const imperfect = [...required, ...notScored].filter((name) => results.get(name)?.length !== 0);
    const why = Object.fromEntries(imperfect.map((name) => [name, results.get(name)]));
    expect(imperfect.sort(), JSON.stringify(why, null, 2)).toEqual(
      await documentedFailures(`Client, ${revision}`),
    );
  }, 180_000);
});
