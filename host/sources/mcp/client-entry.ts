import type { McpServerConfig } from './config.ts';
import { isObject } from './rpc-message.ts';

export interface ClientContext {
  readonly userHome: string;
  readonly project: string;
  readonly bareVariables: boolean;
}

/** Another client's entry as ours, or the reason why it can't be. Each client has its own words for the same things. */
export function fromClientEntry(entry: unknown, context: ClientContext): McpServerConfig | string {
  if (!isObject(entry)) return 'it is not an object';
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? toOurVariables(value, context) : undefined;
  const texts = (value: unknown): string[] | undefined =>
    Array.isArray(value) ? value.flatMap((item) => text(String(item)) ?? '') : undefined;
  const map = (value: unknown): Record<string, string> | undefined =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, item]) => ['string', 'number', 'boolean'].includes(typeof item))
            .map(([key, item]) => [key, toOurVariables(String(item), context)]),
        )
      : undefined;

  const command = text(entry['command']);
  const httpUrl = text(entry['httpUrl']);
  const url = httpUrl ?? text(entry['url']) ?? text(entry['serverUrl']);
  if (command === undefined && url === undefined) return 'it has neither command nor url';
  const allow = texts(entry['includeTools'] ?? entry['enabled_tools']);
  const block = texts(entry['excludeTools'] ?? entry['disabled_tools']);
  const disabled = entry['disabled'] === true || entry['enabled'] === false;
  const rest = {
    ...(allow && { allow }),
    ...(block && { block }),
    ...(disabled && { enabled: false }),
  };
  if (command !== undefined) {
    const args = texts(entry['args']);
    const env = map(entry['env']);
    const cwd = text(entry['cwd']);
    return {
      command,
      ...(args && { args }),
      ...(env && { env }),
      ...(cwd !== undefined && { cwd }),
      ...rest,
    };
  }
  const headers = { ...map(entry['headers'] ?? entry['http_headers']), ...bearer(entry) };
  return {
    ...(entry['type'] === 'sse' && httpUrl === undefined && { type: 'sse' as const }),
    url: url!,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...rest,
  };
}

function bearer(entry: { readonly [key: string]: unknown }): Record<string, string> {
  const variable = entry['bearer_token_env_var'];
  return typeof variable === 'string' ? { Authorization: `Bearer \${${variable}}` } : {};
}

/** `${env:NAME}` is `${NAME}` here, and a value that VS Code would ask for is a variable to be set. */
function toOurVariables(value: string, { userHome, project, bareVariables }: ClientContext): string {
  const replaced = value
    .replaceAll(/\$\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => `\${${name}}`)
    .replaceAll(
      /\$\{input:([^}]+)\}/g,
      (_, name: string) => `\${${name.toUpperCase().replaceAll(/\W/g, '_')}}`,
    )
    .replaceAll('${workspaceFolder}', () => project)
    .replaceAll('${userHome}', () => userHome);
  return bareVariables
    ? replaced.replaceAll(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`)
    : replaced;
}
