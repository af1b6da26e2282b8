import { basename, join } from 'node:path';
import { knownKeys } from './client-shapes.ts';

/** How a client writes its servers down. */
export interface ClientFile {
  /** "Claude Desktop" */
  readonly client: string;
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** Where in the file the servers stand, each list one place. */
  readonly keys: readonly (readonly string[])[];
  /** `$NAME` without braces means a variable there. */
  readonly bareVariables?: boolean;
}

export interface ClientPlaces {
  /** The user's home folder. */
  readonly userHome: string;
  /** A project whose own files count too. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  /** Windows' %APPDATA%. */
  readonly appData?: string | undefined;
}

/** Where the clients that we know keep their servers; most of these files won't exist. */
export function clientFiles({ userHome, project, platform, appData }: ClientPlaces): readonly ClientFile[] {
  const application = (name: string): string => {
    if (platform === 'darwin') return join(userHome, 'Library/Application Support', name);
    if (platform === 'win32') return join(appData ?? join(userHome, 'AppData/Roaming'), name);
    return join(userHome, '.config', name);
  };
  return [
    json('Claude Desktop', join(application('Claude'), 'claude_desktop_config.json')),
    json('Claude Code', join(userHome, '.claude.json'), ['mcpServers'], ['projects', project, 'mcpServers']),
    json('Claude Code', join(project, '.mcp.json')),
    json('Cursor', join(userHome, '.cursor/mcp.json')),
    json('Cursor', join(project, '.cursor/mcp.json')),
    json('VS Code', join(application('Code'), 'User/mcp.json'), ['servers']),
    json('VS Code', join(project, '.vscode/mcp.json'), ['servers']),
    json('Windsurf', join(userHome, '.codeium/windsurf/mcp_config.json')),
    { ...json('Gemini CLI', join(userHome, '.gemini/settings.json')), bareVariables: true },
    { ...json('Gemini CLI', join(project, '.gemini/settings.json')), bareVariables: true },
    json('Zed', join(userHome, '.config/zed/settings.json'), ['context_servers']),
    json('Zed', join(project, '.zed/settings.json'), ['context_servers']),
    ...['opencode.json', 'opencode.jsonc'].flatMap((name) => [
      json('OpenCode', join(userHome, '.config/opencode', name), ['mcp']),
      json('OpenCode', join(project, name), ['mcp']),
    ]),
    {
      client: 'Codex',
      path: join(userHome, '.codex/config.toml'),
      format: 'toml',
      keys: [['mcp_servers']],
    },
  ];
}

/** A file that is named, of whatever client. */
export const namedFile = (path: string): ClientFile => ({
  client: basename(path),
  path,
  format: path.endsWith('.toml') ? 'toml' : 'json',
  keys: knownKeys,
});

const json = (client: string, path: string, ...keys: string[][]): ClientFile => ({
  client,
  path,
  format: 'json',
  keys: keys.length === 0 ? [['mcpServers']] : keys,
});
