import { expect, test } from 'vitest';
import { PegboardError } from '../../../host/core/errors.ts';
import { createRandom, effort } from '../../kit/data/fuzz.ts';
import { caller, createMcpLab, fixture } from '../../kit/mcp/mcp-source.ts';

test('whatever a server answers, each call ends with a result or an error of ours, and nothing is left running', async () => {
  const { seed } = createRandom(1_121);
  for (let round = 0; round < 8 * effort; round++) {
    await using lab = await createMcpLab();
    const source = lab.open('odd', { ...fixture('mutates', String(seed + round)), connectTimeout: 1 });
    await source.connect().catch(expectOurs(seed + round));
    const { tools } = await source.list();
    for (const { name, description } of tools)
      expect([typeof name, typeof description]).toEqual(['string', 'string']);
    const calls = Array.from({ length: 6 }, (_, call) =>
      source
        .callTool('echo', { text: `call ${call}` }, caller({ signal: AbortSignal.timeout(1_500) }))
        .then(({ content }) => expect(Array.isArray(content), `seed ${seed + round}`).toBe(true))
        .catch(expectOurs(seed + round)),
    );
    await Promise.all(calls);
  }
});

/** Or the caller's own time limit was reached. */
const expectOurs =
  (seed: number) =>
  (cause: unknown): void =>
    expect(
      cause instanceof PegboardError || (cause as Error).name === 'TimeoutError',
      `seed ${seed}: ${String(cause)}`,
    ).toBe(true);
