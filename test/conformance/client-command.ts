import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../host/api/result.ts';
import type { Tool } from '../../host/api/tool.ts';
import { createLogger } from '../../host/core/log.ts';
import { createRedactor } from '../../host/core/secrets/redact.ts';
import { openPinStore } from '../../host/sources/mcp/pin-store.ts';
import type { McpOAuthConfig } from '../../host/sources/mcp/config.ts';
import { createMcpSource, type McpSource } from '../../host/sources/mcp/source.ts';
import { caller } from '../kit/mcp-source.ts';

/**
 * What the conformance suite runs as "the client": Pegboard's own, connected to the suite's server. It lists the
 * tools and calls each of them once, logging in when asked to, as a person who agrees with everything.
 */
const url = process.argv.at(-1)!;
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly name?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  /** Calls that a scenario wants, one after the other. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
};
const mostLogins = 3;

/** The page that the suite knows as a client's id, and the credentials that it gives out. */
const oauth: McpOAuthConfig = {
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(context.name?.startsWith('auth/client-credentials') === true && { grant: 'client_credentials' }),
  ...(context.client_id !== undefined && { clientId: context.client_id }),
  ...(context.client_secret !== undefined && { clientSecret: context.client_secret }),
  ...(context.private_key_pem !== undefined && { privateKey: context.private_key_pem }),
  ...(context.signing_algorithm !== undefined && { algorithm: context.signing_algorithm }),
};

const data = await mkdtemp(join(tmpdir(), 'pegboard-conformance-'));
const source = createMcpSource(
  'suite',
  {
    url,
    connectTimeout: 90,
    oauth,
  },
  {
    home: data,
    data,
    pins: openPinStore(join(data, 'pins')),
    resolve: () => undefined,
    redactor: createRedactor(),
    log: createLogger(({ level, message, cause }) => console.error(level, message, cause ?? '')),
    version: '0.0.0',
  },
);

let logins = 0;
let failed = false;
try {
  await loggedIn(() => source.connect());
  const { tools } = await source.list();
  console.error(`listed ${tools.map(({ name }) => name).join(', ')}`);
  const calls =
    context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, tools) }));
  for (const call of calls) await loggedIn(() => callTool(source, call.name, call.arguments));
} catch (cause) {
  failed = true;
  console.error(cause);
} finally {
  await source[Symbol.asyncDispose]!();
  await rm(data, { recursive: true });
}
process.exitCode = failed ? 1 : 0;

async function callTool(source: McpSource, name: string, args: JsonObject): Promise<void> {
  const asked = caller({ answer: { action: 'accept', content: {} } });
  console.error(name, JSON.stringify(await source.callTool(name, args, asked)));
}

/** Does `work`, and again after a login, for as long as that is what it lacks. */
async function loggedIn(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      const { code } = cause as { readonly code?: string };
      if (code !== 'PEG_SERVER_UNAUTHORIZED' || ++logins > mostLogins) throw cause;
      const again = work;
      work = async () => {
        await source.login((page) => void visit(page));
        await again();
      };
    }
  }
}

/** Follows the authorization server's redirect back to us, as a browser would. */
async function visit(page: string): Promise<void> {
  await fetch(page).catch((cause: unknown) => console.error(cause));
}

/** Something of the right type for every parameter; one scenario wants to have a schema back as it was listed. */
function argumentsFor({ parameters }: Tool, tools: readonly Tool[]): JsonObject {
  const properties = (parameters['properties'] ?? {}) as {
    readonly [name: string]: { readonly type?: string };
  };
  const listed = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
  const samples: JsonObject = {
    number: 2,
    integer: 2,
    boolean: true,
    array: [],
    object: listed?.parameters ?? {},
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = 'string' }]) => [name, samples[type] ?? 'text']),
  );
}
