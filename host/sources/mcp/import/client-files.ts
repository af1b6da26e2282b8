import { basename, join } from 'node:path';
import type { Surroundings } from '../../../api/surroundings.ts';
import { placesOf, settingsFolder, type UserPlaces } from '../../../core/platform/places.ts';
import { knownKeys } from './client-shapes.ts';

/** The format in which a client stores its servers. */
export interface ClientFile {
  /** "Claude Desktop" */
  readonly client: string;
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** The paths of the objects that contain servers. */
  readonly keys: readonly (readonly string[])[];
  /** Its syntax for environment variables: only `${NAME}`, or also `$NAME`. Absent: none. */
  readonly variables?: 'braces' | 'bare';
}

export interface ClientPlaces extends UserPlaces {
  /** A project whose files are included. */
  readonly project: string;
}

/** Of the current user, where they stand. */
export const clientPlaces = (surroundings: Surroundings): ClientPlaces => ({
  ...placesOf(surroundings),
  project: surroundings.cwd(),
});

/** Where known clients store their servers; most of these files won't exist. */
export function clientFiles(places: ClientPlaces): readonly ClientFile[] {
  const { userHome, project, environment = {} } = places;
  const own = (name: string, usual: string): string => environment[name] || join(userHome, usual);
  const claude = environment['CLAUDE_CONFIG_DIR'] || userHome;
  return [
    json('Claude Desktop', join(applicationFolder('Claude', places), 'claude_desktop_config.json')),
    {
      ...json(
        'Claude Code',
        join(claude, '.claude.json'),
        ['mcpServers'],
        ['projects', project, 'mcpServers'],
      ),
      variables: 'braces',
    },
    { ...json('Claude Code', join(project, '.mcp.json')), variables: 'braces' },
    json('Cursor', join(userHome, '.cursor/mcp.json')),
    json('Cursor', join(project, '.cursor/mcp.json')),
    json('VS Code', join(applicationFolder('Code', places), 'User/mcp.json'), ['servers']),
    json('VS Code', join(project, '.vscode/mcp.json'), ['servers']),
    json('Windsurf', join(userHome, '.codeium/windsurf/mcp_config.json')),
    { ...json('Gemini CLI', join(userHome, '.gemini/settings.json')), variables: 'bare' },
    { ...json('Gemini CLI', join(project, '.gemini/settings.json')), variables: 'bare' },
    json('Zed', join(zedFolder(places), 'settings.json'), ['context_servers']),
    json('Zed', join(project, '.zed/settings.json'), ['context_servers']),
    ...['opencode.json', 'opencode.jsonc'].flatMap((name) => [
      json('OpenCode', join(own('XDG_CONFIG_HOME', '.config'), 'opencode', name), ['mcp']),
      json('OpenCode', join(project, name), ['mcp']),
    ]),
    codex(join(own('CODEX_HOME', '.codex'), 'config.toml')),
    codex(join(project, '.codex/config.toml')),
  ];
}

/** Where an application keeps its settings. */
const applicationFolder = (name: string, places: ClientPlaces): string => join(settingsFolder(places), name);

/** On macOS this is not the usual place of applications. */
const zedFolder = (places: ClientPlaces): string =>
  places.platform === 'darwin'
    ? join(places.userHome, '.config/zed')
    : applicationFolder(places.platform === 'win32' ? 'Zed' : 'zed', places);

const codex = (path: string): ClientFile => ({
  client: 'Codex',
  path,
  format: 'toml',
  keys: [['mcp_servers']],
});

/** A file given by path, of any client. Its variable syntax is unknown unless its name reveals the client. */
export const namedFile = (path: string): ClientFile => ({
  client: basename(path),
  path,
  format: path.endsWith('.toml') ? 'toml' : 'json',
  keys: knownKeys,
  ...(/(^|[\\/])\.(mcp|claude)\.json$/.test(path) && { variables: 'braces' as const }),
  ...(/(^|[\\/])\.gemini[\\/]settings\.json$/.test(path) && { variables: 'bare' as const }),
});

const json = (client: string, path: string, ...keys: string[][]): ClientFile => ({
  client,
  path,
  format: 'json',
  keys: keys.length === 0 ? [['mcpServers']] : keys,
});
