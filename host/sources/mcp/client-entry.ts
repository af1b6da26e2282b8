import { resolve } from 'node:path';
import { readDotenv } from '../../core/documents/dotenv.ts';
import type { McpOAuthConfig, McpServerConfig } from './config.ts';
import { flatEntry } from './client-shapes.ts';
import { isObject } from './rpc-message.ts';

export interface ClientContext {
  readonly userHome: string;
  readonly project: string;
  readonly bareVariables: boolean;
  /** Defaults of the values that VS Code asks for, by their ids. */
  readonly inputs: ReadonlyMap<string, string>;
}

export interface TakenOver {
  readonly config: McpServerConfig;
  /** What of the entry has no counterpart here: names of its members. */
  readonly lost: readonly string[];
}

/** What other clients write that says nothing about the server, or what we find out by ourselves. */
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

/** Another client's entry as ours, or the reason why it can't be. Each client has its own words for the same things. */
export function fromClientEntry(written: unknown, context: ClientContext): TakenOver | string {
  if (!isObject(written)) return 'it is not an object';
  const used = new Set<string>();
  const entry = flatEntry(written);
  /** The first of these members that is there. */
  const take = (...keys: string[]): unknown => {
    for (const key of keys) if (entry[key] !== undefined) used.add(key);
    return keys.map((key) => entry[key]).find((value) => value !== undefined);
  };
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? toOurVariables(value, context) : undefined;
  const texts = (value: unknown): string[] | undefined =>
    Array.isArray(value) ? value.flatMap((item) => text(String(item)) ?? '') : undefined;
  const map = (value: unknown): Record<string, string> => toMap(value, (one) => toOurVariables(one, context));
  const variables = (value: unknown): Record<string, string> => toMap(value, (name) => `\${${name}}`);

  const command = text(take('command'));
  const httpUrl = text(take('httpUrl'));
  const url = httpUrl ?? text(take('url', 'serverUrl'));
  if (command === undefined && url === undefined) return 'it has neither command nor url';
  const allow = texts(take('includeTools', 'enabled_tools', 'enabledTools'));
  const block = texts(take('excludeTools', 'disabled_tools', 'disabledTools'));
  const rest = {
    ...(allow && { allow }),
    ...(block && { block }),
    ...((entry['disabled'] === true || entry['enabled'] === false) && { enabled: false }),
    ...limits(take),
  };
  let config: McpServerConfig;
  if (command !== undefined) {
    const args = texts(take('args'));
    const file = text(take('envFile'));
    const env = {
      ...(file !== undefined && readDotenv(resolve(context.project, file))),
      ...namesAsVariables(take('env_vars')),
      ...map(take('env', 'environment')),
    };
    const cwd = text(take('cwd'));
    config = {
      command,
      ...(args && { args }),
      ...(Object.keys(env).length > 0 && { env }),
      ...(cwd !== undefined && { cwd }),
      ...rest,
    };
  } else {
    const headers = {
      ...map(take('headers', 'http_headers')),
      ...variables(take('env_http_headers')),
      ...bearer(take('bearer_token_env_var')),
    };
    const oauth = toOAuth(take('auth', 'oauth'), text);
    config = {
      ...(entry['type'] === 'sse' && httpUrl === undefined && { type: 'sse' as const }),
      url: url!,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(oauth && { oauth }),
      ...rest,
    };
  }
  return { config, lost: Object.keys(entry).filter((key) => !used.has(key) && !meaningless.has(key)) };
}

/** Codex says seconds in the name, the others mean milliseconds. */
function limits(take: (...keys: string[]) => unknown): Pick<McpServerConfig, 'timeout' | 'connectTimeout'> {
  const seconds = (value: unknown, unit: number): number | undefined =>
    typeof value === 'number' && value > 0 ? Math.max(1, value / unit) : undefined;
  const timeout = seconds(take('tool_timeout_sec'), 1) ?? seconds(take('timeout'), 1_000);
  const connectTimeout =
    seconds(take('startup_timeout_sec'), 1) ?? seconds(take('startup_timeout_ms'), 1_000);
  return {
    ...(timeout !== undefined && { timeout }),
    ...(connectTimeout !== undefined && { connectTimeout }),
  };
}

function toMap(value: unknown, convert: (text: string) => string): Record<string, string> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(
    entries
      .filter(([, item]) => ['string', 'number', 'boolean'].includes(typeof item))
      .map(([key, item]) => [key, convert(String(item))]),
  );
}

/** Names of variables that are handed on. */
function namesAsVariables(value: unknown): Record<string, string> {
  const names = (Array.isArray(value) ? value : []).map((one: unknown) =>
    isObject(one) ? one['name'] : one,
  );
  return Object.fromEntries(
    names.flatMap((name) => (typeof name === 'string' ? [[name, `\${${name}}`]] : [])),
  );
}

function bearer(variable: unknown): Record<string, string> {
  return typeof variable === 'string' ? { Authorization: `Bearer \${${variable}}` } : {};
}

function toOAuth(value: unknown, text: (value: unknown) => string | undefined): McpOAuthConfig | undefined {
  if (!isObject(value)) return undefined;
  const clientId = text(value['CLIENT_ID'] ?? value['clientId']);
  const clientSecret = text(value['CLIENT_SECRET'] ?? value['clientSecret']);
  const asked = value['scopes'] ?? value['scope'];
  const scopes = typeof asked === 'string' ? asked.split(' ') : asked;
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(Array.isArray(scopes) && { scopes: scopes.map(String) }),
  };
}

/** `${env:NAME}` is `${NAME}` here, and a value that VS Code would ask for is a variable to be set, or its default. */
function toOurVariables(value: string, context: ClientContext): string {
  const { userHome, project, bareVariables, inputs } = context;
  const replaced = value
    .replaceAll(/\$\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => `\${${name}}`)
    .replaceAll(/\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => `\${${name}}`)
    .replaceAll(/\$\{input:([^}]+)\}/g, (_, name: string) => {
      const variable = name.toUpperCase().replaceAll(/\W/g, '_');
      const preset = inputs.get(name);
      return preset === undefined ? `\${${variable}}` : `\${${variable}:-${preset}}`;
    })
    .replaceAll('${workspaceFolder}', () => project)
    .replaceAll('${userHome}', () => userHome);
  return bareVariables
    ? replaced.replaceAll(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`)
    : replaced;
}
