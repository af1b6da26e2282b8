import type { JsonObject } from '../../../api/result.ts';
import type { McpOAuthConfig, McpServerConfig } from '../config.ts';
import { flatEntry } from './client-shapes.ts';
import { readerOf, type ClientContext, type EntryReader } from './client-values.ts';
import { isObject } from '../transport/rpc-message.ts';

export interface ImportedEntry {
  readonly config: McpServerConfig;
  /** What has no counterpart here: names of members, with the reason where it isn't obvious. */
  readonly lost: readonly string[];
  /** `${…}` that is plain text to the client, but would be one of the owner's variables here. */
  readonly strange: readonly string[];
}

/** Members of other clients that say nothing about the server, or that Pegboard detects itself. */
const meaningless = new Set([
  'type',
  'transport',
  'source',
  'name',
  'alwaysAllow',
  'autoApprove',
  'trust',
  'gallery',
  'version',
  'enabled',
  'disabled',
]);

/**
 * Converts another client's entry to ours, or returns the reason why it can't. Each client has its own names for the
 * same things.
 */
export function fromClientEntry(written: unknown, context: ClientContext): ImportedEntry | string {
  if (!isObject(written)) return 'it is not an object';
  const entry = flatEntry(written);
  const wrong = ['command', 'httpUrl', 'url', 'serverUrl'].find(
    (key) => !['string', 'undefined'].includes(typeof (entry[key] ?? undefined)),
  );
  if (wrong !== undefined) return `its ${wrong} is not a text`;
  const reader = readerOf(entry, context);
  const command = reader.text('command');
  const url = command === undefined ? reader.text('httpUrl', 'url', 'serverUrl') : undefined;
  if (command === undefined && url === undefined) return 'it has neither command nor url';
  const own = command === undefined ? ofAddress(url!, entry, reader) : ofProgram(command, reader);
  const allow = reader.texts('includeTools', 'enabled_tools', 'enabledTools');
  const block = reader.texts('excludeTools', 'disabled_tools', 'disabledTools');
  const config = {
    ...own,
    ...(allow && { allow }),
    ...(block && { block }),
    ...((entry['disabled'] === true || entry['enabled'] === false) && { enabled: false }),
    ...limits(reader),
  };
  return { config, lost: reader.lost(meaningless), strange: reader.strange() };
}

function ofProgram(command: string, reader: EntryReader): McpServerConfig {
  const args = reader.texts('args');
  const env = {
    ...reader.variablesOfFile('envFile'),
    ...namesAsVariables(reader.take('env_vars'), reader),
    ...reader.map('env', 'environment'),
  };
  const cwd = reader.text('cwd');
  return {
    command,
    ...(args && { args }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(cwd !== undefined && { cwd }),
  };
}

function ofAddress(url: string, entry: JsonObject, reader: EntryReader): McpServerConfig {
  const headers = {
    ...reader.map('headers', 'http_headers'),
    ...asVariables(reader.map('env_http_headers')),
    ...bearer(reader.text('bearer_token_env_var')),
  };
  const oauth = toOAuth(reader.take('auth', 'oauth'), reader);
  return {
    ...(entry['type'] === 'sse' && entry['httpUrl'] === undefined && { type: 'sse' as const }),
    url,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(oauth && { oauth }),
  };
}

/** Codex has seconds in the name, the others use milliseconds. */
function limits(reader: EntryReader): Pick<McpServerConfig, 'timeout' | 'connectTimeout'> {
  const seconds = (key: string, unit: number): number | undefined => {
    const value = reader.take(key);
    if (typeof value === 'number' && value > 0) return Math.max(1, value / unit);
    if (value !== undefined) reader.lose(`${key} (not a number above 0)`);
    return undefined;
  };
  const timeout = seconds('tool_timeout_sec', 1) ?? seconds('timeout', 1_000);
  const connectTimeout = seconds('startup_timeout_sec', 1) ?? seconds('startup_timeout_ms', 1_000);
  return {
    ...(timeout !== undefined && { timeout }),
    ...(connectTimeout !== undefined && { connectTimeout }),
  };
}

const asVariables = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([key, name]) => [key, `\${${name}}`]));

/** Names of variables that are passed on. */
function namesAsVariables(value: unknown, reader: EntryReader): Record<string, string> {
  if (value !== undefined && !Array.isArray(value)) reader.lose('env_vars (not a list)');
  const names = (Array.isArray(value) ? value : []).map((one: unknown) =>
    isObject(one) ? one['name'] : one,
  );
  return Object.fromEntries(
    names.flatMap((name, at) => {
      if (typeof name === 'string') return [[name, `\${${name}}`] as const];
      reader.lose(`env_vars[${at}] (no name)`);
      return [];
    }),
  );
}

const bearer = (variable: string | undefined): Record<string, string> =>
  variable === undefined ? {} : { Authorization: `Bearer \${${variable}}` };

function toOAuth(value: unknown, reader: EntryReader): McpOAuthConfig | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    reader.lose('auth (not an object)');
    return undefined;
  }
  const inner = reader.within(value);
  const clientId = inner.text('CLIENT_ID', 'clientId');
  const clientSecret = inner.text('CLIENT_SECRET', 'clientSecret');
  const scopes =
    typeof value['scopes'] === 'string' || typeof value['scope'] === 'string'
      ? inner.text('scopes', 'scope')?.split(' ')
      : inner.texts('scopes', 'scope');
  for (const what of inner.lost(new Set())) reader.lose(`auth.${what}`);
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scopes && { scopes }),
  };
}
