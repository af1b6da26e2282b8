import { readFile } from 'node:fs/promises';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { messageOf } from '../../core/errors.ts';
import { clientFiles, namedFile, type ClientFile, type ClientPlaces } from './client-files.ts';
import { fromClientEntry } from './client-entry.ts';
import { inputDefaults } from './client-shapes.ts';
import type { McpServerConfig } from './config.ts';
import { parseSettings } from './read-settings.ts';
import { isObject } from './rpc-message.ts';

/** A server that another client knows. */
export interface ClientServer {
  /** As the client calls it; two clients may use one name for different servers. */
  readonly name: string;
  /** "Claude Desktop" */
  readonly client: string;
  /** The file that it stands in. */
  readonly path: string;
  readonly config: McpServerConfig;
}

export interface ClientServers {
  readonly servers: readonly ClientServer[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The servers in the settings of every client that we know, or in one `file`; a client that isn't there has none. Nothing is changed. */
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

  const settings = await readSettings(file).catch((cause: unknown) => {
    if (mustExist || (cause as NodeJS.ErrnoException).code !== 'ENOENT')
      skip(`its settings can't be read: ${messageOf(cause)}`);
    return undefined;
  });
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
      if (lost.length > 0) skip(`of server "${name}" this has no counterpart here: ${lost.join(', ')}`);
      if (strange.length > 0)
        skip(
          `server "${name}" has ${strange.join(', ')}, which is no variable there: here \${NAME} is one of yours, and all else stays as it is`,
        );
    }
  }
  return { servers, diagnostics };
}

async function readSettings({ path, format }: ClientFile): Promise<unknown> {
  const text = await readFile(path, 'utf8');
  return await parseSettings(text, format);
}
