import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { connect, echoName, untilListed, type ServerAddress } from '../kit/client.ts';
import { openHome } from '../kit/home.ts';
import { clone, serveHttp } from '../kit/installation.ts';
import { commandLine, descendants } from '../kit/process.ts';
import type { Row, Section } from '../kit/section.ts';
import { interleaved, median, timed } from '../kit/statistics.ts';

const rounds = 4;
const echo = join(import.meta.dirname, '../echo-server.ts');
const everything = join(clone, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

export const recovery: Section = {
  name: 'recovery',
  title: 'From killing an upstream to the next good answer',
  about:
    "The upstream's process gets SIGKILL, and the client calls at once, through the same `pegboard serve --http`, and again if it must: a call that reached the dying process, and might have been run, comes back as an error and is not repeated by Pegboard. Direct: what a client must do without Pegboard: restart the server, connect, list and call.",
  async measure() {
    return [
      await afterKill('echo server', [echo]),
      await afterKill('server-everything', [everything, 'stdio']),
    ];
  },
};

/**
 * Each round kills another one of several identical servers, because a server that dies repeatedly is not restarted for
 * a while.
 */
async function afterKill(what: string, args: readonly string[]): Promise<Row> {
  const names = Array.from({ length: rounds + 1 }, (_, round) => `upstream-${round}`);
  // Both programs ignore the last argument, which distinguishes their processes.
  using home = openHome({
    servers: Object.fromEntries(names.map((name) => [name, { args: [...args, name] }])),
  });
  await using pegboard = await serveHttp(home.folder);
  await using opened = new AsyncDisposableStack();
  const client = opened.adopt(await connect(pegboard), (client) => client.close());
  const echoes = names.map((name) => `${name}__echo`);
  await untilListed(client, (tools) => echoes.every((echo) => tools.some(({ name }) => name === echo)));
  for (const echo of echoes) await callAny(client, echo);
  let round = 0;
  const figures = await interleaved(rounds, {
    direct: () => startAndCall({ args }),
    async pegboard() {
      const name = names[round++]!;
      const pid = descendants(pegboard.pid).find((child) => commandLine(child).endsWith(name));
      process.kill(pid!, 'SIGKILL');
      return await timed(() => untilAnswered(client, `${name}__echo`));
    },
  });
  return {
    what,
    unit: 'ms',
    direct: median(figures.direct),
    pegboard: median(figures.pegboard),
    target: { of: 'value', atMost: 500 },
  };
}

async function startAndCall(address: ServerAddress): Promise<number> {
  await using opened = new AsyncDisposableStack();
  return await timed(async () => {
    const client = opened.adopt(await connect(address), (client) => client.close());
    await callAny(client, await echoName(client));
  });
}

/** Repeats the call as long as the answer is an error. */
async function untilAnswered(client: Client, name: string): Promise<void> {
  const late = performance.now() + 10_000;
  for (;;) {
    try {
      return await callAny(client, name);
    } catch (cause) {
      if (performance.now() > late) throw cause;
    }
  }
}

/** The echo tool of server-everything has a parameter `message`, and puts a word before the text. */
async function callAny(client: Client, name: string): Promise<void> {
  const { content, isError } = await client.callTool({
    name,
    arguments: { text: 'hello', message: 'hello' },
  });
  if (isError || !JSON.stringify(content).includes('hello'))
    throw new Error(`${name} answered ${JSON.stringify(content)}`);
}
