import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../kit/client.ts';
import { count, randomInteger, type SoakRun } from './run.ts';

/** A tool that sleeps far longer than any caller waits. */
export const longTool = `---
id: long
name: Long
description: Sleeps
command: sh -c 'sleep 300 & sleep 300'
---
`;

/** Runs clients that connect, call a long-running tool and disconnect before it ends, until time is up. */
export async function keepDisconnecting(run: SoakRun): Promise<void> {
  while (!run.signal.aborted) {
    const client = await connect(run.pegboard, { era: Math.random() < 0.5 ? 'legacy' : 'modern' });
    const calling = new AbortController();
    const left = client.callTool({ name: 'long' }, { signal: calling.signal }).then(
      () => run.failures.push('a call of 300 seconds came to an end'),
      () => {},
    );
    await sleep(randomInteger(10, 400));
    if (Math.random() < 0.5) calling.abort();
    await client.close();
    await left;
    count(run, 'clients that left in mid-call');
  }
}
