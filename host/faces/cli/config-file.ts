import { readFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../api/result.ts';
import { draftName } from '../../core/draft.ts';
import { PegboardError } from '../../core/errors.ts';
import { configFile } from '../../home.ts';

/** The server's entry in pegboard.yaml, written or replaced; comments and order of all else stay. */
export async function writeServer(home: string, name: string, entry: JsonObject): Promise<void> {
  const { Document, isMap, isNode, parseDocument } = await import('yaml');
  const path = join(home, configFile);
  const text = await readIfThere(path);
  const document = text === undefined ? new Document({}) : parseDocument(text);
  refuseBroken(document.errors, path);
  const servers = document.get('mcpServers', true);
  if (!isMap(servers)) {
    const empty = document.createNode({});
    const comment = isNode(servers) ? servers.comment : undefined;
    if (typeof comment === 'string') empty.commentBefore = comment;
    document.set('mcpServers', empty);
  }
  document.setIn(['mcpServers', name], entry);
  const written = document.get('mcpServers', true);
  if (isMap(written)) written.flow = false;
  await write(path, document.toString({ lineWidth: 0 }));
}

/** Sets one value of pegboard.yaml; comments and order of all else stay. */
export async function writeConfigValue(home: string, at: readonly string[], value: unknown): Promise<void> {
  const { Document, isMap, parseDocument } = await import('yaml');
  const path = join(home, configFile);
  const text = await readIfThere(path);
  const document = text === undefined ? new Document({}) : parseDocument(text);
  refuseBroken(document.errors, path);
  for (let depth = 0; depth < at.length; depth++) {
    const place = at.slice(0, depth);
    if (!isMap(document.getIn(place, true))) document.setIn(place, document.createNode({}));
  }
  document.setIn(at, value);
  await write(path, document.toString({ lineWidth: 0 }));
}

/** Takes the entry out of the file that it stands in; returns that file's name, or undefined when there is none. */
export async function removeServer(home: string, name: string): Promise<string | undefined> {
  const { parseDocument } = await import('yaml');
  for (const file of [configFile, '.mcp.json']) {
    const path = join(home, file);
    const text = await readIfThere(path);
    if (text === undefined) continue;
    if (file === '.mcp.json') {
      const value = parseJson(text, path);
      if (value.mcpServers?.[name] === undefined) continue;
      delete value.mcpServers[name];
      await write(path, `${JSON.stringify(value, null, 2)}\n`);
      return file;
    }
    const document = parseDocument(text);
    refuseBroken(document.errors, path);
    if (!document.hasIn(['mcpServers', name])) continue;
    document.deleteIn(['mcpServers', name]);
    await write(path, document.toString({ lineWidth: 0 }));
    return file;
  }
  return undefined;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Whole or not at all. */
async function write(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  const temporary = join(path, '..', draftName());
  await writeFile(temporary, text);
  await rename(temporary, path);
}

function refuseBroken(errors: readonly Error[], path: string): void {
  const [error] = errors;
  if (!error) return;
  throw new PegboardError(
    'PEG_CONFIG',
    `${path} is left as it is, because it is broken: ${error.message.split('\n')[0]}`,
  );
}

function parseJson(text: string, path: string): { mcpServers?: { [name: string]: unknown } } {
  try {
    return JSON.parse(text) as { mcpServers?: { [name: string]: unknown } };
  } catch (cause) {
    throw new PegboardError(
      'PEG_CONFIG',
      `${path} is left as it is, because it is broken: ${(cause as Error).message}`,
    );
  }
}
