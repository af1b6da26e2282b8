import { join } from 'node:path';
import { callEcho, connect, echoName, pidOf, type ServerAddress, type Era } from '../kit/client.ts';
import { openHome, type Servers } from '../kit/home.ts';
import { serveHttp, stdioArgs } from '../kit/installation.ts';
import { load, type LoadFigures } from '../kit/load.ts';
import { startProcess } from '../kit/process.ts';
import type { Row, Section } from '../kit/section.ts';
import { interleaved, median } from '../kit/statistics.ts';

const echo = join(import.meta.dirname, '../echo-server.ts');
const bridge = join(import.meta.dirname, '../programs/bridge.ts');
const rounds = 5;
const many = 16;

export const proxyHttp: Section = {
  name: 'proxy-http',
  title: 'A call through Pegboard over HTTP',
  about:
    "A server of the SDK with one echo tool, and the SDK's client. Direct: the client calls the server over Streamable HTTP. Pegboard: the client calls `pegboard serve --http`, which calls the same server over stdio or, where it says so, HTTP again. Legacy is protocol 2025-11-25, modern 2026-07-28. Client, Pegboard and server share the machine's cores; processor time is that of Pegboard, and of the server where it is called directly.",
  async measure() {
    await using server = startProcess([echo, '--http']);
    const [url] = await server.printed(/http:\S+/);
    const direct = { address: { url }, pid: server.pid };
    const stdioUpstream = { echo: { args: [echo] } };
    return [
      ...(await throughPegboard('stdio upstream', direct, stdioUpstream, 'legacy')),
      ...(await throughPegboard('stdio upstream, modern', direct, stdioUpstream, 'modern')),
      ...(await throughPegboard('HTTP upstream', direct, { echo: { url } }, 'legacy')),
    ];
  },
};

export const proxyStdio: Section = {
  name: 'proxy-stdio',
  title: 'A call through Pegboard over stdio',
  about:
    'The same, over pipes: the client starts the echo server itself, or starts `pegboard serve --stdio`, which starts the echo server.',
  async measure() {
    return [...(await overStdio('legacy')), ...(await overStdio('modern'))];
  },
};

export const proxyBridge: Section = {
  name: 'proxy-bridge',
  title: 'Pegboard and the least that a proxy does',
  about:
    "A server of the SDK with one echo tool, over stdio and over HTTP, called over HTTP. Direct: through `bench/programs/bridge.ts`, 100 lines straight on `node:http` that pass JSON-RPC on: no tool list, no token, no checks, no audit, no errors. Whatever stands between a client and a server costs this much. Pegboard: through `pegboard serve --http`. Processor time is that of the bridge and of Pegboard. With one caller about a third of Pegboard's goes into reading and answering HTTP, a third into the connection to the server, and a quarter into dispatch with its line in the audit, which is in the file before a result leaves; with 16 dispatch is nearly half.",
  async measure() {
    await using server = startProcess([echo, '--http']);
    const [url] = await server.printed(/http:\S+/);
    return [
      ...(await besideBridge('stdio upstream', [echo], { args: [echo] })),
      ...(await besideBridge('HTTP upstream', [url], { url })),
    ];
  },
};

async function besideBridge(what: string, bridged: string[], server: Servers[string]): Promise<Row[]> {
  await using least = startProcess([bridge, ...bridged]);
  const [url] = await least.printed(/http:\S+/);
  using home = openHome({ servers: { echo: server } });
  await using pegboard = await serveHttp(home.folder);
  const figures = await compare(
    { address: { url }, pid: least.pid },
    { address: pegboard, pid: pegboard.pid },
    'legacy',
  );
  return [
    ...latencyRows(what, figures),
    callsRow(what, figures),
    ...cpuRows(what, figures, { of: 'ratio', atMost: 1.5 }),
  ];
}

async function throughPegboard(
  what: string,
  direct: { readonly address: ServerAddress; readonly pid: number },
  servers: Servers,
  era: Era,
): Promise<Row[]> {
  using home = openHome({ servers });
  await using pegboard = await serveHttp(home.folder);
  const figures = await compare(direct, { address: pegboard, pid: pegboard.pid }, era);
  return [
    ...latencyRows(what, figures, { of: 'ratio', atMost: 1.5 }),
    { ...callsRow(what, figures), target: { of: 'ratio', atLeast: 0.8 } },
    ...cpuRows(what, figures, { of: 'value', atMost: 0.2 }),
  ];
}

async function overStdio(era: Era): Promise<Row[]> {
  using home = openHome({ servers: { echo: { args: [echo] } } });
  const figures = await compare(
    { address: { args: [echo] } },
    { address: { args: stdioArgs(home.folder) } },
    era,
  );
  return [
    ...latencyRows(era, figures, { of: 'difference', atMost: 0.4 }),
    callsRow(era, figures),
    ...cpuRows(era, figures),
  ];
}

/** One round: one caller, then many. */
interface Round {
  readonly one: LoadFigures;
  readonly many: LoadFigures;
}
type Figures = Record<'direct' | 'pegboard', Round[]>;

/** A server to call, and the process whose processor time counts: by default the one that the client starts. */
interface Side {
  readonly address: ServerAddress;
  readonly pid?: number;
}

async function compare(direct: Side, pegboard: Side, era: Era): Promise<Figures> {
  await using sides = new AsyncDisposableStack();
  const open = async (side: Side): Promise<() => Promise<Round>> => {
    const client = sides.adopt(await connect(side.address, { era }), (client) => client.close());
    const pid = side.pid ?? pidOf(client);
    const name = await echoName(client);
    await callEcho(client, name, 'first');
    return async () => ({
      one: await load(client, { name, pid, callers: 1, calls: 500 }),
      many: await load(client, { name, pid, callers: many, calls: 1500 }),
    });
  };
  return await interleaved(rounds, { direct: await open(direct), pegboard: await open(pegboard) });
}

function of(rounds: readonly Round[], callers: keyof Round, figure: keyof LoadFigures): number {
  return median(rounds.map((round) => round[callers][figure]));
}

function latencyRows(what: string, { direct, pegboard }: Figures, target?: Row['target']): Row[] {
  const row = (callers: keyof Round, figure: 'p50' | 'p95'): Row => ({
    what: `${what}: ${figure}, ${callers === 'one' ? '1 caller' : `${many} callers`}`,
    unit: 'ms',
    direct: of(direct, callers, figure),
    pegboard: of(pegboard, callers, figure),
  });
  return [
    { ...row('one', 'p50'), ...(target && { target }) },
    row('one', 'p95'),
    row('many', 'p50'),
    row('many', 'p95'),
  ];
}

function callsRow(what: string, { direct, pegboard }: Figures): Row {
  return {
    what: `${what}: calls, ${many} callers`,
    unit: '1/s',
    direct: of(direct, 'many', 'callsPerSecond'),
    pegboard: of(pegboard, 'many', 'callsPerSecond'),
  };
}

function cpuRows(what: string, { direct, pegboard }: Figures, target?: Row['target']): Row[] {
  return (['one', 'many'] as const).map((callers) => ({
    what: `${what}: CPU a call, ${callers === 'one' ? '1 caller' : `${many} callers`}`,
    unit: 'ms',
    direct: of(direct, callers, 'cpuPerCall'),
    pegboard: of(pegboard, callers, 'cpuPerCall'),
    ...(target && { target }),
  }));
}
