import { join, resolve as resolvePath } from 'node:path';
import { serverEnvironment } from './transport/stdio/server-environment.ts';
import type { User } from '../../core/platform/places.ts';
import type { WhyUnset } from '../../core/secrets/why-unset.ts';
import type { Sandbox } from '../../api/sandbox.ts';
import { learnReferenced } from '../../core/secrets/learn-referenced.ts';
import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';
import { interpolate, oddDefaultIn, referenceHint } from '../../core/documents/interpolate.ts';
import type { Confinement } from '../../core/sandbox/boundary.ts';
import { foldersWithoutCaller } from '../../core/files/known-folders.ts';
import { realPathOf } from '../../core/files/paths.ts';
import { strictest, toSandboxRule } from '../../core/sandbox/rule.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import { fillHeaders, refuseHeadersElsewhere } from './connection/client-headers.ts';
import { transportOf, type McpOAuthConfig, type McpServerConfig } from './config.ts';

/** A server's entry with every `${NAME}` filled in: ready to connect. May contain secrets. */
export type ResolvedServer =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
      readonly confinement: Confinement | undefined;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly url: URL;
      readonly headers: Readonly<Record<string, string>>;
      readonly oauth: McpOAuthConfig;
    };

export interface Variables {
  /** The value of `${NAME}`, or undefined when it is unset. */
  readonly resolve: (name: string) => string | undefined;
  readonly user: User;
  readonly redactor: Pick<Redactor, 'add'>;
  readonly whyUnset?: WhyUnset | undefined;
  /** The values of `${header:NAME}`: the headers of its client, by lowercase name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Throws PEG_MISSING_VARIABLE, naming server, key and variable, and PEG_CONFIG for an invalid entry. `cwd` is relative
 * to `home`.
 */
export function resolveServer(
  name: string,
  config: McpServerConfig,
  home: string,
  variables: Variables,
): ResolvedServer {
  const fill = (key: string, text: string): string => {
    refuseHeadersElsewhere(name, key, text);
    return fillOwn(key, text);
  };
  const fillOwn = (key: string, text: string): string => {
    const odd = oddDefaultIn(text);
    if (odd !== undefined)
      throw new PegboardError(
        'PEG_CONFIG',
        `The server ${name}: ${odd} in ${key} is not a reference to a variable: ${referenceHint}.`,
      );
    const { text: filled, used, missing } = interpolate(text, variables.resolve);
    if (missing.length > 0) throw missingVariable(name, key, missing[0]!, variables.whyUnset);
    for (const [variable, value] of used) learnReferenced(variables.redactor, variable, value);
    return filled;
  };
  const fillAny = (key: string, text: string): string =>
    fillHeaders(text, (part) => fillOwn(key, part), {
      server: name,
      key,
      headers: variables.headers,
    });
  const fillAll = (key: string, map: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(map).map(([member, text]) => [member, fillAny(`${key}.${member}`, text)]),
    );

  const kind = transportOf(config);
  if (kind === 'stdio') {
    if (config.command === undefined) throw incomplete(name, 'command', 'the program to start');
    const cwd = resolvePath(home, fill('cwd', config.cwd ?? '.'));
    return {
      kind,
      command: fill('command', config.command),
      args: (config.args ?? []).map((argument, index) => fill(`args[${index}]`, argument)),
      env: serverEnvironment(fillAll('env', config.env), variables.user.env),
      cwd,
      confinement: confinementOf(name, config, cwd, { home, user: variables.user }),
    };
  }
  if (config.url === undefined) throw incomplete(name, 'url', 'its http:// or https:// address');
  return {
    kind,
    url: toUrl(name, fill('url', config.url)),
    headers: fillAll('headers', config.headers),
    oauth: resolveOAuth(name, config.oauth ?? {}, fill),
  };
}

function resolveOAuth(
  name: string,
  config: McpOAuthConfig,
  fill: (key: string, text: string) => string,
): McpOAuthConfig {
  const texts = Object.entries(config).filter(([, value]) => typeof value === 'string') as [string, string][];
  const filled = texts.map(([key, text]) => [key, fill(`oauth.${key}`, text)] as const);
  const oauth: McpOAuthConfig = { ...config, ...Object.fromEntries(filled) };
  const { grant, clientId, clientSecret, privateKey, clientMetadataUrl: page } = oauth;
  const hasCredentials = clientId !== undefined && (clientSecret ?? privateKey) !== undefined;
  if (grant === 'client_credentials' && !hasCredentials) {
    throw new PegboardError(
      'PEG_CONFIG',
      `MCP server "${name}": oauth.grant client_credentials needs oauth.clientId, and oauth.clientSecret or oauth.privateKey; write them as \${NAME}.`,
    );
  }
  if (page !== undefined && !(URL.parse(page)?.protocol === 'https:' && new URL(page).pathname !== '/')) {
    throw new PegboardError(
      'PEG_CONFIG',
      `MCP server "${name}": oauth.clientMetadataUrl must be the https:// address of a page with a path, such as https://example.com/pegboard.json, not "${page}".`,
    );
  }
  return oauth;
}

/** At level `workspace`, the server gets a writable folder of its own, which no other confined process sees. */
function confinementOf(
  name: string,
  { sandbox: written }: McpServerConfig,
  cwd: string,
  { home, user }: { readonly home: string; readonly user: User },
): Confinement | undefined {
  const rule = strictest([toSandboxRule(written, cwd, user.userHome)], { id: name, name });
  if (!rule) return undefined;
  const own = join(realPathOf(home), 'data/servers', encodeURIComponent(name));
  const sandbox: Sandbox = { ...rule, knownFolders: foldersWithoutCaller(home, user) };
  return { sandbox, shown: [cwd], ...(rule.level === 'workspace' && { own }) };
}

function toUrl(name: string, text: string): URL {
  const url = URL.parse(text);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new PegboardError(
    'PEG_CONFIG',
    `MCP server "${name}": url must be an http:// or https:// address, not "${text}".`,
  );
}

function missingVariable(
  name: string,
  key: string,
  variable: string,
  whyUnset: WhyUnset | undefined,
): PegboardError {
  const todo =
    whyUnset?.(variable) ??
    `Store it with \`${pegboard} secret set ${variable}\`, or write \${${variable}:-default}.`;
  return new PegboardError(
    'PEG_MISSING_VARIABLE',
    `MCP server "${name}": ${key} needs \${${variable}}, which is not set. ${todo}`,
    { data: { server: name, key, variable } },
  );
}

function incomplete(name: string, key: string, what: string): PegboardError {
  return new PegboardError('PEG_CONFIG', `MCP server "${name}" has no ${key}: add ${what}.`);
}
