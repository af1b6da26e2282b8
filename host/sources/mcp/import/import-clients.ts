import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import { fileErrorInWords } from '../../../core/system-error.ts';
import { clientFiles, namedFile, type ClientFile, type ClientPlaces } from './client-files.ts';
import { fromClientEntry } from './from-client-entry.ts';
import { inputDefaults } from './client-shapes.ts';
import type { McpServerConfig } from '../config.ts';
import { parseSettings } from './read-settings.ts';
import { repeatedMembers } from './repeated-members.ts';
import { isObject } from '../transport/rpc-message.ts';

/** A server from another client's settings. */
export interface ClientServer {
  /** The client's name for it; two clients may use the same name for different servers. */
  readonly name: string;
  /** "Claude Desktop" */
  readonly client: string;
  /** The file that contains it. */
  readonly path: string;
  readonly config: McpServerConfig;
}

export interface ClientServers {
  readonly servers: readonly ClientServer[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The servers in the settings of all known clients, or in one `file`. Missing settings are empty. Nothing is changed.
 */
export async function findClientServers(places: ClientPlaces, file?: string): Promise<ClientServers> {
  const files = file === undefined ? clientFiles(places) : [namedFile(file)];
  const found = await Promise.all(files.map((one) => readClientFile(one, places, file !== undefined)));
  return {
    servers: found.flatMap(({ servers }) => servers),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

async function readClientFile(
  file: ClientFile,
  places: ClientPlaces,
  mustExist: boolean,
): Promise<ClientServers> {
  const { client, path } = file;
  const servers: ClientServer[] = [];
  const diagnostics: Diagnostic[] = [];
  const skip = (message: string): void =>
    void diagnostics.push({
      severity: 'warning',
      code: 'client-config',
      message: `${client}: ${message}`,
      path,
    });

  const read = await readSettings({ ...file, path: resolve(places.project, path) }).catch(
    (cause: unknown) => {
      if (mustExist || (cause as NodeJS.ErrnoException).code !== 'ENOENT')
        skip(`its settings can't be read: ${fileErrorInWords(cause)}`);
      return undefined;
    },
  );
  const settings = read?.settings;
  diagnostics.push(...(read?.lost ?? []));
  const context = { ...places, variables: file.variables, inputs: inputDefaults(settings) };
  for (const keys of file.keys) {
    const entries = keys.reduce<unknown>(
      (value, key) => (isObject(value) ? value[key] : undefined),
      settings,
    );
    if (entries !== undefined && !isObject(entries)) skip(`its ${keys.join('.')} is not an object`);
    if (!isObject(entries)) continue;
    for (const [name, entry] of Object.entries(entries)) {
      const taken = fromClientEntry(entry, context);
      if (typeof taken === 'string') {
        skip(`server "${name}" is left out: ${taken}`);
        continue;
      }
      const { config, lost, strange } = taken;
      servers.push({ name, client, path, config });
      if (lost.length > 0)
        skip(`these settings of server "${name}" have no counterpart here: ${lost.join(', ')}`);
      if (strange.length > 0)
        skip(
          `server "${name}" has ${strange.join(', ')}, which that client doesn't fill in. Pegboard fills in \${NAME}, and leaves everything else as it is`,
        );
    }
  }
  return { servers, diagnostics };
}

async function readSettings(
  file: ClientFile,
): Promise<{ readonly settings: unknown; readonly lost: readonly Diagnostic[] }> {
  const text = await readFile(file.path, 'utf8');
  const settings = await parseSettings(text, file.format);
  return { settings, lost: file.format === 'json' ? await lostMembers(text, file) : [] };
}

/** Members that are repeated further down in JSON. TOML doesn't allow two members with the same name. */
async function lostMembers(text: string, { client, path, keys }: ClientFile): Promise<Diagnostic[]> {
  const repeated = await Promise.all(keys.map((key) => repeatedMembers(text, key)));
  const lost = new Map<string, Diagnostic>();
  for (const { path: member, places } of repeated.flat()) {
    const kept = places.at(-1)!;
    for (const place of places.slice(0, -1)) {
      const where = place.line === kept.line ? 'on the same line' : `on line ${kept.line}`;
      const message = `${client}: "${member.join('.')}" is left out: it occurs again ${where}, and the last one is used`;
      lost.set(`${place.line}:${place.column}`, {
        severity: 'warning',
        code: 'client-config',
        message,
        path,
        ...place,
      });
    }
  }
  return [...lost.values()];
}
