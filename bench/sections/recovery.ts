import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { connect, echoName, type Door } from '../kit/client.ts';
import { openHome } from '../kit/home.ts';
import { clone, serveHttp } from '../kit/installation.ts';
import { commandLine, descendants } from '../kit/process.ts';
import type { Row, Section } from '../kit/section.ts';
import { interleaved, median, timed } from '../kit/statistics.ts';

const rounds = 7;
const echo = join(import.meta.dirname, '../echo-server.ts');
const everything = join(clone, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

export const recovery: Section = {
  name: 'recovery',
  title: 'From killing an upstream to the next good answer',
  about:
    "The upstream's process gets SIGKILL, and the client calls at once, through the same `pegboard serve --http`. Direct: what a client must do without Pegboard: start the server anew, connect, list and call.",
  async measure() {
    return [
      await afterKill('echo server', [echo]),
      await afterKill('server-everything', [everything, 'stdio']),
    ];
  },
};

async function afterKill(what: string, args: readonly string[]): Promise<Row> {
  using home = openHome({ servers: { upstream: { args } } });
  await using pegboard = await serveHttp(home.folder);
  await using opened = new AsyncDisposableStack();
  const client = opened.adopt(await connect(pegboard), (client) => client.close());
  const name = await echoName(client);
  const figures = await interleaved(rounds, {
    direct: () => startAndCall({ args }),
    async pegboard() {
      await callAny(client, name);
      const [pid] = descendants(pegboard.pid).filter((child) => commandLine(child).includes(args[0]!));
      process.kill(pid!, 'SIGKILL');
      return await timed(() => callAny(client, name));
    },
  });
  return {
    what,
    unit: 'ms',
    direct: median(figures.direct),
    pegboard: median(figures.pegboard),
    aim: { of: 'value', atMost: 500 },
  };
}

async function startAndCall(door: Door): Promise<number> {
  await using opened = new AsyncDisposableStack();
  return await timed(async () => {
    const client = opened.adopt(await connect(door), (client) => client.close());
    await callAny(client, await echoName(client));
  });
}

/** The echo of server-everything calls its text `message`, and puts a word before it. */
async function callAny(client: Client, name: string): Promise<void> {
  const { content, isError } = await client.callTool({
    name,
    arguments: { text: 'hello', message: 'hello' },
  });
  if (isError || !JSON.stringify(content).includes('hello'))
    throw new Error(`${name} answered ${JSON.stringify(content)}`);
}
