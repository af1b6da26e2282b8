import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPegboard, type CliOptions, type CliResult, type RunningCli } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';

/** What the suite says about a scenario. */
export interface Context {
  readonly name?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  /** Calls that a scenario expects, one after the other. */
  readonly toolCalls?: readonly ToolCall[];
}

interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

interface Tool {
  readonly name: string;
  readonly inputSchema: {
    readonly properties?: { readonly [name: string]: { readonly type?: string } };
  };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: any;
}

const maxLogins = 3;
const prefix = 'suite__';

interface Surroundings {
  /** Takes what went on, for whoever reads why a scenario failed. */
  readonly say: (line: string) => void;
  /** The suite has given up the scenario. */
  readonly signal: AbortSignal;
}

/**
 * "The client" of the conformance suite: `pegboard serve`, in a home that has the suite's server under `mcpServers`. An
 * MCP client on its stdin lists the tools and calls each of them once, and a user who accepts everything runs `pegboard
 * mcp login` when a result asks for it.
 */
export async function runClient(url: string, context: Context, { say, signal }: Surroundings): Promise<void> {
  /** The page that the suite accepts as a client id, and the credentials that it issues. */
  const oauth = {
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    ...(context.name?.startsWith('auth/client-credentials') === true && { grant: 'client_credentials' }),
    ...(context.client_id !== undefined && { clientId: context.client_id }),
    ...(context.client_secret !== undefined && { clientSecret: '${SUITE_SECRET}' }),
    ...(context.private_key_pem !== undefined && { privateKey: '${SUITE_KEY}' }),
    ...(context.signing_algorithm !== undefined && { algorithm: context.signing_algorithm }),
  };
  await using home = await createHome({
    'pegboard.yaml': JSON.stringify({ mcpServers: { suite: { url, connectTimeout: 90, oauth } } }),
  });
  const options: CliOptions = {
    home: home.path,
    env: { SUITE_SECRET: context.client_secret, SUITE_KEY: context.private_key_pem },
  };
  /** False when the login failed. */
  const logIn = async (): Promise<boolean> => {
    const { code, stdout, stderr } = await login(options);
    say(`${stdout} ${stderr}`);
    return code === 0;
  };

  await using serving = startPegboard(['serve', '--mode', 'direct'], options);
  const request = openClient(serving);
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'conformance', version: '1' },
  });
  /** The text of its result. */
  const call = async (name: string, args: object): Promise<string> => {
    const said = JSON.stringify(await request('tools/call', { name: `${prefix}${name}`, arguments: args }));
    say(`${name} ${said}`);
    return said;
  };
  // No tool has this name: the result says what the server lacks.
  for (let isLoggedIn = false; ; await sleep(200, undefined, { signal })) {
    const said = await call('-', {});
    if (wantsLogin(said)) {
      // A refused call is tried once more.
      if (!isLoggedIn && !(await logIn()) && !(await logIn())) return;
      isLoggedIn = true;
    } else if (!said.includes('is not available')) break;
  }

  const { tools } = (await request('tools/list', {})).result as { readonly tools: readonly Tool[] };
  const offered = tools.filter(({ name }) => name.startsWith(prefix));
  say(`listed ${offered.map(({ name }) => name).join(', ')}`);
  const all = offered.map((tool) => ({
    name: tool.name.slice(prefix.length),
    arguments: argumentsFor(tool, offered),
  }));
  for (const one of context.toolCalls ?? all) {
    for (let logins = 0; wantsLogin(await call(one.name, one.arguments)); logins++) {
      if (logins === maxLogins || !(await logIn())) break;
    }
  }
}

function wantsLogin(said: string): boolean {
  return said.includes('pegboard mcp login suite');
}

/** JSON-RPC on its stdin and stdout; every question is answered with what its form proposes. */
function openClient({ child, ended }: RunningCli): (method: string, params: object) => Promise<Message> {
  const waiting = new Map<number, (answer: Message) => void>();
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if (message.id === undefined) return;
    if (message.method === undefined) waiting.get(message.id)!(message);
    else send({ id: message.id, result: { action: 'accept', content: {} } });
  });
  let last = 0;
  return (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, resolve);
      void ended.then(({ stderr }) => reject(new Error(`pegboard serve has ended: ${stderr}`)));
      send({ id: last, method, params });
    });
}

/** Follows the authorization server's redirect back to Pegboard, as a browser would. */
async function login(options: CliOptions): Promise<CliResult> {
  await using running = startPegboard(['mcp', 'login', 'suite'], options);
  running.child.stdin.end();
  const page = running.waitFor(/https?:\S+\/\S+\s+If the browser/);
  const [said] = await Promise.all([running.ended, page.then(visit).catch(() => {})]);
  return said;
}

async function visit(shown: string): Promise<void> {
  await fetch(/https?:\S+/.exec(shown)![0]);
}

/** A value of the right type for every parameter; one scenario expects its schema back as it was listed. */
function argumentsFor({ inputSchema }: Tool, tools: readonly Tool[]): object {
  const listed = tools.find(({ name }) => name === `${prefix}json_schema_2020_12_tool`);
  const samples: { readonly [type: string]: unknown } = {
    number: 2,
    integer: 2,
    boolean: true,
    array: [],
    object: listed?.inputSchema ?? {},
  };
  return Object.fromEntries(
    Object.entries(inputSchema.properties ?? {}).map(([name, { type = 'string' }]) => [
      name,
      samples[type] ?? 'text',
    ]),
  );
}
