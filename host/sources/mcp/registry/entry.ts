import type { JsonSchema } from '../../../api/result.ts';
import { validatorOf } from '../../../core/documents/schema.ts';
import { isObject } from '../transport/rpc-message.ts';

/** A value that the publisher wants to be filled in: an argument, a variable, a header, or a part of one of these. */
export interface RegistryInput {
  readonly description?: string;
  /** Fixed; `{name}` in it is one of `variables`. */
  readonly value?: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  readonly format?: 'string' | 'number' | 'boolean' | 'filepath';
  readonly isRequired?: boolean;
  readonly isSecret?: boolean;
  readonly variables?: { readonly [name: string]: RegistryInput };
}

/** A variable of the environment, or an HTTP header. */
export interface NamedInput extends RegistryInput {
  readonly name: string;
}

export interface RegistryArgument extends RegistryInput {
  readonly type: 'positional' | 'named';
  /** For a named argument: the option, with its dashes. */
  readonly name?: string;
  readonly valueHint?: string;
  readonly isRepeated?: boolean;
}

export interface RegistryPackage {
  readonly registryType: string;
  readonly registryBaseUrl?: string;
  readonly identifier: string;
  readonly version?: string;
  readonly fileSha256?: string;
  readonly transport?: { readonly type: string };
  readonly runtimeArguments?: readonly RegistryArgument[];
  readonly packageArguments?: readonly RegistryArgument[];
  readonly environmentVariables?: readonly NamedInput[];
}

export interface RegistryRemote {
  readonly type: string;
  readonly url: string;
  readonly headers?: readonly NamedInput[];
  readonly variables?: { readonly [name: string]: RegistryInput };
}

/** A server of a registry: its publisher's server.json, checked. */
export interface RegistryServer {
  /** "io.github.owner/server" */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly version: string;
  readonly repository?: string;
  readonly status: 'active' | 'deprecated' | 'deleted';
  readonly statusMessage?: string;
  readonly isLatest?: boolean;
  /** Why the entry can't be used at all. Absent if it can. */
  readonly malformed?: string;
  readonly packages: readonly (RegistryPackage | Malformed)[];
  readonly remotes: readonly (RegistryRemote | Malformed)[];
}

/** A way to run a server that violates the registry's specification. */
export interface Malformed {
  readonly malformed: string;
}

const text = (maxLength: number, pattern?: string): JsonSchema => ({
  type: 'string',
  maxLength,
  ...(pattern !== undefined && { pattern }),
});
const input = {
  description: text(2_000),
  value: text(2_000),
  default: text(2_000),
  choices: { type: 'array', maxItems: 200, items: text(500) },
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  isRequired: { type: 'boolean' },
  isSecret: { type: 'boolean' },
};
const variables = {
  type: 'object',
  maxProperties: 50,
  additionalProperties: { type: 'object', properties: input },
};
const named = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    required: ['name'],
    properties: { ...input, variables, name: text(200) },
  },
};
const programArguments = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    required: ['type'],
    properties: {
      ...input,
      variables,
      type: { enum: ['positional', 'named'] },
      name: text(200),
      valueHint: text(200),
      isRepeated: { type: 'boolean' },
    },
  },
};
const packageSchema: JsonSchema = {
  type: 'object',
  required: ['registryType', 'identifier'],
  properties: {
    registryType: text(50),
    registryBaseUrl: text(500),
    identifier: text(500),
    version: text(255),
    fileSha256: text(100),
    transport: { type: 'object', required: ['type'], properties: { type: text(50) } },
    runtimeArguments: programArguments,
    packageArguments: programArguments,
    environmentVariables: named,
  },
};
const remoteSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'url'],
  properties: { type: text(50), url: text(2_000), headers: named, variables },
};
const serverSchema: JsonSchema = {
  type: 'object',
  required: ['name'],
  properties: { name: text(200, '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$') },
};
const singleVersion = /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,254}$/;

/** One item of a registry's answer, or a single server.json. Undefined without a usable name. */
export async function readEntry(item: unknown): Promise<RegistryServer | undefined> {
  if (!isObject(item)) return undefined;
  const server = isObject(item['server']) ? item['server'] : item;
  if ((await problemIn(server, serverSchema)) !== undefined) return undefined;
  const { name, version: written } = server as { name: string; version?: unknown };
  const version = typeof written === 'string' && singleVersion.test(written) ? written : undefined;
  const meta = isObject(item['_meta']) ? item['_meta']['io.modelcontextprotocol.registry/official'] : {};
  const official = isObject(meta) ? meta : {};
  const status = official['status'] ?? server['status'];
  const title = lineOf(server['title']);
  const statusMessage = lineOf(official['statusMessage']);
  const repository = isObject(server['repository']) ? lineOf(server['repository']['url']) : undefined;
  return {
    name,
    version: version ?? '',
    ...(version === undefined && { malformed: wrongVersion(written) }),
    description: lineOf(server['description']) ?? '',
    status: status === 'deprecated' || status === 'deleted' ? status : 'active',
    ...(title !== undefined && { title }),
    ...(statusMessage !== undefined && { statusMessage }),
    ...(repository !== undefined && { repository }),
    ...(typeof official['isLatest'] === 'boolean' && { isLatest: official['isLatest'] }),
    packages: await readList<RegistryPackage>(server['packages'], packageSchema),
    remotes: await readList<RegistryRemote>(server['remotes'], remoteSchema),
  };
}

const wrongVersion = (version: unknown): string =>
  typeof version === 'string' && version !== ''
    ? `its own version ${JSON.stringify(version.slice(0, 60))} is not a single version`
    : 'it has no version of its own';

/** Maximum characters of a description in a list. */
const maxTextLength = 500;

const lineOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxTextLength) : undefined;

async function readList<T>(value: unknown, schema: JsonSchema): Promise<readonly (T | Malformed)[]> {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [{ malformed: 'it is not a list' }];
  return await Promise.all(
    value.slice(0, 20).map(async (one: unknown) => {
      const malformed = await problemIn(one, schema);
      return malformed === undefined ? (one as T) : { malformed };
    }),
  );
}

async function problemIn(value: unknown, schema: JsonSchema): Promise<string | undefined> {
  const validate = await validatorOf(schema, 'left');
  const [problem] = validate(value);
  return problem && `${problem.path} ${problem.message}`.trim();
}
