import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { postgresPrograms } from './postgres-programs.ts';

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** Its data and its log. */
  readonly folder: string;
  /** Of an empty database of its own. Its collation is not the one of bytes, as on most servers. */
  createDatabase(): Promise<string>;
  /** As a crash: open connections break, and the data stays. */
  stop(): Promise<void>;
  /** After `stop`, on the same port. */
  start(): Promise<void>;
}

export interface PostgresOptions {
  /** Whether commits reach the disk before they are confirmed. Default: false, which is faster. */
  readonly fsync?: boolean;
  /** Settings of the server, such as `max_connections`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A server of its own, for tests that stop it or change its settings. It ends and its folder is removed when it is
 * disposed, and also when this process ends in any other way.
 */
export async function startPostgres({
  fsync = false,
  settings = {},
}: PostgresOptions = {}): Promise<PostgresServer> {
  if (postgresPrograms === undefined) throw new Error('Postgres is not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-postgres-'));
  const account = serverAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  const port = await freePort();
  const all = { autovacuum: 'off', ...(!fsync && { fsync: 'off', full_page_writes: 'off' }), ...settings };
  const options = Object.entries({
    ...all,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  })
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
  const guard = spawn('sh', ['-c', guardScript, 'sh', postgresPrograms, folder, options, password], {
    ...account,
    cwd: folder,
    // An interrupt from the terminal must not end it before the server.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  const command = commandsOf(guard, join(folder, 'log'));
  await command();
  let databases = 0;
  return {
    port,
    folder,
    createDatabase: () => createDatabase(port, `test_${++databases}`),
    stop: () => command('stop'),
    start: () => command('start'),
    async [Symbol.asyncDispose]() {
      if (guard.exitCode !== null) return;
      guard.ref();
      guard.stdin.end();
      await once(guard, 'exit');
    },
  };
}

/** Returns the URL of a new database: an empty one, whose collation is not the one of bytes, or a copy of `template`. */
export async function createDatabase(port: number, name: string, template?: string): Promise<string> {
  const urlOf = (database: string): string => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const client = new Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    await client.query(
      `create database ${name} template ${template ?? `template0 locale_provider icu icu_locale 'en-US'`}`,
    );
  } finally {
    await client.end();
  }
  return urlOf(name);
}

const user = 'pegboard';
const password = 'secret-of-the-test';

/** Reads one command a line. The end of its input, also by the death of the test process, ends the server. */
const guardScript = `
programs=$1 folder=$2 options=$3
start() { "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -o "$options" -w start >/dev/null; }
stop() { "$programs/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1; }
trap 'stop; rm -rf "$folder"' EXIT
echo "$4" >"$folder/password"
"$programs/initdb" -D "$folder/data" -U ${user} -A scram-sha-256 --pwfile="$folder/password" -E UTF8 --locale=C \\
  --no-sync >"$folder/log" 2>&1 && start && echo done || echo failed
while read -r command; do "$command" && echo done || echo failed; done`;

/** Sends a command to the guard; without one, waits for the first start. */
function commandsOf(guard: ChildProcess, log: string): (command?: 'start' | 'stop') => Promise<void> {
  const output = guard.stdout as Socket;
  return async (command) => {
    output.ref();
    const answer = Promise.race([once(output, 'data'), once(guard, 'exit').then(() => ['ended'])]);
    if (command) guard.stdin!.write(`${command}\n`);
    const [said] = (await answer) as [unknown];
    output.unref();
    if (String(said).trim() === 'done') return;
    const why = existsSync(log) ? readFileSync(log, 'utf8').slice(-2_000) : String(said);
    throw new Error(`Postgres did not ${command ?? 'start'}: ${why}`);
  };
}

/** Postgres refuses to run as root. */
export function serverAccount(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const found =
    accounts.find(({ name }) => name === 'postgres') ??
    accounts.find(({ uid }) => uid >= 1_000 && uid < 60_000);
  if (!found) throw new Error('Postgres refuses to run as root, and there is no other account.');
  return { uid: found.uid, gid: found.gid };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
