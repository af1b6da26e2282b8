import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { User } from '../core/platform/places.ts';
import type { HostConfig } from '../config.ts';
import { readJsonFile } from '../core/files/json-file.ts';
import { interpolate } from '../core/documents/interpolate.ts';
import { learnReferenced } from '../core/secrets/learn-referenced.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { readDotenv } from '../core/documents/dotenv.ts';
import { credentialsIn } from '../core/secrets/credentials.ts';

type Learn = Pick<Redactor, 'add'>;

/**
 * Values that were not stored as secrets but are secret by their names or by how they look: in the environment, in the
 * home's .env, and from logins at MCP servers. A tool may come across any of them.
 */
export function learnAmbientSecrets(redactor: Learn, home: string, user: User): void {
  learnMembers(redactor, user.env);
  learnMembers(redactor, readDotenv(join(home, '.env'), user));
  const logins = join(home, 'data/mcp/oauth');
  if (!existsSync(logins)) return;
  for (const name of readdirSync(logins)) {
    if (name.endsWith('.json')) learnFrom(redactor, readJsonFile(join(logins, name)), name);
  }
}

/** Secrets in pegboard.yaml and .mcp.json themselves, and those that MCP servers get by `${NAME}`. */
export function learnConfiguredSecrets(
  redactor: Learn,
  config: HostConfig,
  resolve: (name: string) => string | undefined,
): void {
  const { models, state, serve, plugins, servers } = config;
  learnFrom(redactor, { models, state, serve, plugins }, 'pegboard.yaml');
  for (const [name, entry] of servers) {
    learnFrom(redactor, entry.config, `MCP server ${name}`);
    const { used } = interpolate(JSON.stringify(entry.config), resolve);
    for (const [variable, value] of used) learnReferenced(redactor, variable, value);
  }
}

const maxDepth = 16;

function learnFrom(redactor: Learn, value: unknown, place: string, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return;
  learnMembers(redactor, value, place);
  for (const [key, item] of Object.entries(value)) learnFrom(redactor, item, `${place} ${key}`, depth + 1);
}

function learnMembers(redactor: Learn, members: object, place?: string): void {
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== 'string' || !isValue(value)) continue;
    const shown = place === undefined ? name : `${place} ${name}`;
    for (const secret of credentialsIn(name, value)) redactor.add(shown, secret);
  }
}

/** Not the path of a file that holds the secret. */
const isValue = (text: string): boolean => !(text.startsWith('/') && existsSync(text));
