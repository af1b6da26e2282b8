import type { Client } from '@modelcontextprotocol/client';
import { connect, untilListed } from '../kit/client.ts';
import type { ChangingTools } from './manifests.ts';
import { count, randomInteger, type SoakRun } from './run.ts';

/** Calls tools of upstreams and Markdown tools, one after the other, and checks every answer, until time is up. */
export async function keepCalling(
  run: SoakRun,
  tools: ChangingTools,
  upstreams: readonly string[],
): Promise<void> {
  const era = Math.random() < 0.5 ? 'legacy' : 'modern';
  const client = await connect(run.pegboard, { era });
  const isThere = (name: string): boolean => upstreams.some((upstream) => name.startsWith(`${upstream}__`));
  const names = (
    await untilListed(
      client,
      (listed) => listed.filter(({ name }) => isThere(name)).length === upstreams.length,
    )
  ).filter(isThere);
  for (let call = 0; !run.signal.aborted; call++) {
    const text = `${era} ${call} ${'x'.repeat(randomInteger(0, 200))}`;
    if (Math.random() < 0.8)
      await callUpstream(run, client, names[randomInteger(0, names.length - 1)]!, text);
    else await callManifest(run, client, tools, text);
  }
  await client.close();
}

async function callUpstream(run: SoakRun, client: Client, name: string, text: string): Promise<void> {
  const { answer, failed } = await call(client, name, text);
  if (!failed && answer === text) return count(run, 'upstream calls');
  // Its server was killed during the call: whether it took effect is unknown, so it isn't repeated.
  if (failed && /process|connection|server/i.test(answer))
    return count(run, 'upstream calls cut off by a kill');
  run.failures.push(`${name} was called with "${text}" and answered "${answer}"`);
}

async function callManifest(run: SoakRun, client: Client, tools: ChangingTools, text: string): Promise<void> {
  const name = tools.names[randomInteger(0, tools.names.length - 1)]!;
  const start = performance.now();
  const { answer, failed } = await call(client, name, text);
  const version = /^(.*) version (\d+)\n?$/s.exec(answer);
  const { from, to } = tools.possible(name, start);
  if (!failed && version?.[1] === text && Number(version[2]) >= from && Number(version[2]) <= to)
    return count(run, 'Markdown calls');
  run.failures.push(`${name} (versions ${from} to ${to}) was called with "${text}" and answered "${answer}"`);
}

async function call(
  client: Client,
  name: string,
  text: string,
): Promise<{ readonly answer: string; readonly failed: boolean }> {
  try {
    const { content, isError } = await client.callTool({ name, arguments: { text } });
    const [block] = content;
    return { answer: block?.type === 'text' ? block.text : '', failed: isError === true };
  } catch (cause) {
    return { answer: (cause as Error).message, failed: true };
  }
}
