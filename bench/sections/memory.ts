import { join } from 'node:path';
import { connect, isEcho, untilListed } from '../kit/client.ts';
import { openHome, type Servers } from '../kit/home.ts';
import { clone, serveHttp } from '../kit/installation.ts';
import { residentMemory, startProcess } from '../kit/process.ts';
import type { Target, Row, Section } from '../kit/section.ts';

const installed = (name: string): string =>
  join(clone, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
const echo = join(import.meta.dirname, '../echo-server.ts');

export const memory: Section = {
  name: 'memory',
  title: 'Memory while serving',
  about:
    "Resident memory of the Pegboard process alone, after every tool list has been fetched and 200 calls. Direct: a Node process that does nothing. The upstreams are server-everything; then also server-filesystem, server-memory and two echo servers, over stdio; then one of the echo servers over HTTP, for which Node loads its `fetch`. The upstreams' own processes come on top, with and without Pegboard.",
  async measure() {
    await using idle = startProcess(['-e', 'setInterval(() => {}, 1000); console.log("ready")']);
    await idle.printed(/ready/);
    await using http = startProcess([echo, '--http']);
    const [url] = await http.printed(/http:\S+/);
    const one: Servers = { everything: { args: [installed('server-everything'), 'stdio'] } };
    const five: Servers = {
      ...one,
      filesystem: { args: [installed('server-filesystem'), clone] },
      memory: { args: [installed('server-memory')] },
      echo: { args: [echo] },
      more: { args: [echo] },
    };
    const row = async (what: string, servers: Servers, target?: Target): Promise<Row> => ({
      what,
      unit: 'MB',
      direct: residentMemory(idle.pid),
      pegboard: await whileServing(servers),
      ...(target && { target }),
    });
    return [
      await row('no upstream', {}),
      await row('1 upstream', one),
      await row('5 upstreams', five, { of: 'value', atMost: 90 }),
      await row('5 upstreams, one over HTTP', { ...five, more: { url } }, { of: 'value', atMost: 90 }),
    ];
  },
};

async function whileServing(servers: Servers): Promise<number> {
  using home = openHome({ servers });
  await using pegboard = await serveHttp(home.folder);
  const client = await connect(pegboard);
  try {
    const all = (names: readonly string[]): boolean =>
      Object.keys(servers).every((server) => names.some((name) => name.startsWith(`${server}__`)));
    const echoes = (await untilListed(client, (tools) => all(tools.map(({ name }) => name)))).filter(isEcho);
    for (let call = 0; call < 200; call++) {
      const name = echoes[call % echoes.length] ?? 'hello';
      await client.callTool({ name, arguments: { text: 'hi', message: 'hi', who: 'you' } });
    }
    return residentMemory(pegboard.pid);
  } finally {
    await client.close();
  }
}
