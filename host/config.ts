import { dirname, join } from 'node:path';
import type { Surroundings } from './api/surroundings.ts';
import type { InjectionMode } from './api/agent.ts';
import type { ConfirmPolicy, ProvenanceRule } from './api/dispatch.ts';
import type { Diagnostic } from './api/diagnostic.ts';
import type { JsonObject } from './api/result.ts';
import type { SandboxRule } from './api/sandbox.ts';
import type { Access } from './api/source.ts';
import { checkDocument } from './core/documents/check-document.ts';
import { checkFilled, type FillOptions } from './core/documents/check-filled.ts';
import { describeDiagnostic } from './core/documents/describe-diagnostic.ts';
import { readDocument, type DocumentProblem, type SourceDocument } from './core/documents/document.ts';
import { pointerTo } from './core/documents/pointer.ts';
import { mcpSchema, pegboardSchema } from './core/documents/file-schemas.ts';
import { layerDocuments } from './core/documents/layer-documents.ts';
import { configFile, localConfigFile, mcpFile } from './core/files/config-files.ts';
import { readTextFile } from './core/files/text-file.ts';
import { PegboardError } from './core/errors.ts';
import type { User } from './core/platform/places.ts';
import type { WhyUnset } from './core/secrets/why-unset.ts';
import { toSandboxRule } from './core/sandbox/rule.ts';
import type { HomePermissions } from './dispatch/permissions/permissions-for.ts';
import { isRuleList, toHomePermissions } from './dispatch/permissions/written-rules.ts';
import type { WrittenConfig } from './formats/config.ts';
import type { ModelsConfig, WrittenSpend } from './formats/models.ts';
import { variableOf } from './home-environment.ts';
import { fromOtherClients, type McpServerConfig } from './sources/mcp/config.ts';
import { defaultRetention, type Retention } from './store/retention/keep-tidy.ts';
import { modeNamed } from './tools/injection/mode-name.ts';
import type { ToolPreset } from './tools/preset.ts';

/** A client's own selection of tools, by the name that it is served under. */
interface Preset extends Access {
  readonly description?: string;
}

/** One entry of `mcpServers`, and the file that it is in. */
export interface ServerEntry {
  readonly config: McpServerConfig;
  readonly origin: string;
}

/** The files of a home that configure it, checked, with defaults filled in. */
export interface HostConfig {
  readonly name: string;
  readonly confirm: ConfirmPolicy;
  readonly provenance: ProvenanceRule;
  /** Which calls need no confirmation, need it every time, or are refused. */
  readonly permissions: HomePermissions;
  /** For the programs that any tool starts. */
  readonly sandbox: SandboxRule | undefined;
  /** The maximum number of characters of one text block in a result; undefined for the default. */
  readonly outputLimit: number | undefined;
  /** Of what commands write to a terminal. */
  readonly theme: 'auto' | 'light' | 'dark' | 'none';
  readonly retention: Retention;
  /** All that is written, by its first key: a plugin that ships with Pegboard may have one for itself. */
  readonly sections: JsonObject;
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** A URL, or the path of a file relative to the home; absent: the official one. */
  readonly mcpRegistry?: string;
  /** What models are shown, and MCP clients unless `serve` says otherwise. */
  readonly toolPreset: ToolPreset;
  readonly presets: ReadonlyMap<string, Preset>;
  readonly models: ModelsConfig;
  readonly spend?: WrittenSpend | undefined;
  /** The address of a Postgres database; absent: the SQLite file in data/. */
  readonly state?: string;
  /** Without a mode, the context window decides. */
  readonly serve: Omit<NonNullable<WrittenConfig['serve']>, 'mode'> & { readonly mode?: InjectionMode };
  readonly plugins: NonNullable<WrittenConfig['plugins']>;
  readonly spaces: NonNullable<WrittenConfig['spaces']>;
}

export interface LoadedConfig {
  readonly config: HostConfig;
  readonly diagnostics: readonly Diagnostic[];
  /** Something outside `mcpServers` is invalid: the configuration must not be used. */
  readonly broken: boolean;
  /** .mcp.json is there and can't be read: nobody knows which servers it names. */
  readonly unreadable: boolean;
}

/** Those of MCP servers are filled in when a server connects. */
const filling: FillOptions = { except: ['/mcpServers'], unset: 'error' };

/** What a configuration is read with: `resolve` finds the value of a `${NAME}`. */
export interface ConfigReading extends Pick<Surroundings, 'userHome'> {
  readonly resolve: (name: string) => string | undefined;
  readonly whyUnset?: WhyUnset;
}

/** For code without a host, with nothing but variables: a secret that the files name counts as unset. */
export const loadConfigWithoutSecrets = (home: string, user: User): Promise<LoadedConfig> =>
  loadConfig(home, { ...user, resolve: variableOf(home, user) });

/** Reads all files; a missing one counts as empty. An invalid server is left out with a diagnostic, and the others stay. */
export async function loadConfig(home: string, reading: ConfigReading): Promise<LoadedConfig> {
  const { userHome } = reading;
  const diagnostics: Diagnostic[] = [];
  const main = await readOwnConfig(home, reading, diagnostics);
  const { document, unreadable } = readOne(join(home, mcpFile), 'json', diagnostics);
  const shared = toChecked(
    document,
    document ? await checkDocument(document, mcpSchema) : [],
    unreadable,
    diagnostics,
  );
  const written = main.value as WrittenConfig;
  const servers = new Map<string, ServerEntry>();
  for (const { originOf, value, badServers } of [main, shared]) {
    const entries = (value as WrittenConfig).mcpServers ?? {};
    for (const [name, config] of Object.entries(entries)) {
      if (badServers.has(name) || servers.has(name)) continue;
      servers.set(name, {
        config: fromOtherClients(config),
        origin: originOf(`/mcpServers${pointerTo(name)}`),
      });
    }
  }
  return {
    config: {
      name: written.name ?? 'pegboard',
      confirm: written.confirm ?? 'manifest',
      provenance: written.provenance ?? 'strict',
      permissions: toHomePermissions(written.permissions, { home, userHome, originOf: main.originOf }),
      sandbox: toSandboxRule(written.sandbox, home, userHome),
      outputLimit: written.output?.limit,
      theme: written.theme ?? 'auto',
      retention: { ...defaultRetention, ...written.retention },
      sections: main.value,
      servers,
      ...(written.mcpRegistry !== undefined && { mcpRegistry: written.mcpRegistry }),
      toolPreset: { name: written.preset ?? 'lean', show: written.showTools ?? [] },
      presets: new Map(
        Object.entries(written.presets ?? {}).map(([name, preset]) => [name, toPreset(preset)]),
      ),
      models: written.models ?? {},
      spend: written.spend,
      ...(written.state !== undefined && { state: written.state }),
      serve: toServe(written.serve ?? {}),
      plugins: written.plugins ?? {},
      spaces: written.spaces ?? {},
    },
    diagnostics,
    broken: diagnostics.some(
      ({ severity, code, path }) =>
        severity === 'error' && code !== 'bad-server' && path !== join(home, mcpFile),
    ),
    unreadable: shared.unreadable,
  };
}

interface CheckedFile {
  readonly value: JsonObject;
  /** The path of the file that the value at a JSON pointer was read from. */
  readonly originOf: (pointer: string) => string;
  /** Servers whose entry has an error. */
  readonly badServers: ReadonlySet<string>;
  readonly unreadable: boolean;
}

/** Pegboard's own files of a home, as they are written. */
export interface OwnFiles {
  /** pegboard.yaml, and on top of it pegboard.local.yaml. Absent when neither can be parsed. */
  readonly document?: SourceDocument;
  /** The path of the file that the value at a JSON pointer was read from. */
  readonly originOf: (pointer?: string) => string;
  /** One is there, but can't be read or parsed. */
  readonly unreadable: boolean;
}

/** Adds to `diagnostics` why a file can't be read. */
export function readOwnFiles(home: string, diagnostics: Diagnostic[] = []): OwnFiles {
  const [main, local] = [configFile, localConfigFile].map((name) =>
    readOne(join(home, name), 'yaml', diagnostics),
  ) as [ReadFile, ReadFile];
  const unreadable = main.unreadable || local.unreadable;
  if (!main.document || !local.document) {
    const document = main.document ?? local.document;
    return { ...(document && { document }), originOf: () => document?.path ?? '', unreadable };
  }
  const document = layerDocuments(main.document, local.document, {
    isWhole: isWholeServer,
    isJoined: isRuleList,
  });
  return { document, originOf: (pointer = '') => document.sourceOf(pointer).path, unreadable };
}

/** The local settings are checked as a part of the whole. */
async function readOwnConfig(
  home: string,
  { resolve, whyUnset }: ConfigReading,
  diagnostics: Diagnostic[],
): Promise<CheckedFile> {
  const { document: written, originOf, unreadable } = readOwnFiles(home, diagnostics);
  if (!written) return toChecked(undefined, [], unreadable, diagnostics);
  const { document, problems } = await checkFilled(written, pegboardSchema, resolve, {
    ...filling,
    whyUnset,
  });
  const placed = problems.map((problem) => ({ ...problem, path: originOf(problem.pointer) }));
  return { ...toChecked(document, placed, unreadable, diagnostics), originOf };
}

/** An entry that says how to reach a server doesn't take half of another one. */
const isWholeServer = (pointer: string, value: unknown): boolean =>
  /^\/mcpServers\/[^/]+$/.test(pointer) && ('command' in (value as object) || 'url' in (value as object));

interface ReadFile {
  /** Absent when there is nothing in the file, or it can't be parsed. */
  readonly document?: SourceDocument;
  /** It is there, but can't be read or parsed. */
  readonly unreadable: boolean;
}

function readOne(path: string, format: 'yaml' | 'json', diagnostics: Diagnostic[]): ReadFile {
  const file = readTextFile(path, [dirname(path)]);
  if (file.text === undefined && !file.missing) diagnostics.push(...file.diagnostics);
  if (file.text === undefined || file.text.trim() === '')
    return { unreadable: file.text === undefined && !file.missing };
  const document = readDocument(file.text, { path, format });
  const unreadable = document.diagnostics.some(({ severity }) => severity === 'error');
  if (unreadable) diagnostics.push(...document.diagnostics);
  return unreadable ? { unreadable } : { document, unreadable };
}

function toChecked(
  document: SourceDocument | undefined,
  found: readonly DocumentProblem[],
  unreadable: boolean,
  diagnostics: Diagnostic[],
): CheckedFile {
  const badServers = new Set<string>();
  for (const problem of [...(document?.diagnostics ?? []), ...found]) {
    const server =
      problem.severity === 'error' ? /^\/mcpServers\/([^/]+)/.exec(problem.pointer ?? '')?.[1] : undefined;
    if (server !== undefined) badServers.add(server);
    diagnostics.push(
      server === undefined
        ? problem
        : { ...problem, code: 'bad-server', message: `MCP server "${server}": ${problem.message}` },
    );
  }
  const { value } = document ?? {};
  const usable = value !== null && typeof value === 'object' && !Array.isArray(value);
  return {
    value: usable ? (value as JsonObject) : {},
    originOf: () => document?.path ?? '',
    badServers,
    unreadable,
  };
}

function toServe({ mode: name, ...rest }: NonNullable<WrittenConfig['serve']>): HostConfig['serve'] {
  const mode = name === undefined ? undefined : modeNamed(name);
  return { ...rest, ...(mode && { mode }) };
}

function toPreset({ description, tools, block }: NonNullable<WrittenConfig['presets']>[string]): Preset {
  return {
    ...(description !== undefined && { description }),
    ...(tools && { allowed: tools }),
    ...(block && { blocked: block }),
  };
}

/** The enabled servers, by name. */
export function enabledServers({ servers }: HostConfig): ReadonlyMap<string, McpServerConfig> {
  const enabled = [...servers].filter(([, { config }]) => config.enabled !== false);
  return new Map(enabled.map(([name, { config }]) => [name, config]));
}

/** A PEG_CONFIG error with the place of the problem. */
export function brokenConfig({ diagnostics }: LoadedConfig): PegboardError {
  const wrong = diagnostics.find(({ severity }) => severity === 'error')!;
  return new PegboardError('PEG_CONFIG', describeDiagnostic(wrong), { data: { diagnostics } });
}
