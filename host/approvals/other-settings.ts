import type { WrittenConfig } from '../formats/config.ts';
import type { WrittenServer } from '../formats/mcp.ts';
import { shownSetting } from '../status/secret-parts.ts';

/** Keys that need not be shown: all of a value, or parts of it. `*` stands for any name. */
type Unshown = true | { readonly [key: string]: Unshown };
type Keys<T> = { readonly [key in keyof T]?: Unshown };

/**
 * What changes only how something looks, how much is read at once or how long it may take, or restricts what may run; and
 * what has a line of its own among the contents of a home. A key that isn't here is shown.
 */
const unshown = {
  name: true,
  theme: true,
  output: true,
  preset: true,
  showTools: true,
  confirm: true,
  permissions: true,
  provenance: true,
  state: true,
  mcpServers: true,
  plugins: true,
  spaces: true,
  models: {
    contextWindow: true,
    providers: {
      '*': { base_url: true, native_tool_use: true, timeout: true, contextWindow: true, maxTools: true },
    },
    embeddings: { base_url: true },
    transcription: { base_url: true },
    speech: { base_url: true, voice: true },
  },
  serve: { mode: true, preset: true, contextWindow: true },
} as const satisfies Keys<WrittenConfig>;

const unshownOfServer = {
  type: true,
  command: true,
  args: true,
  url: true,
  description: true,
  allow: true,
  block: true,
  confirm: true,
  timeout: true,
  connectTimeout: true,
  trust: true,
  scope: true,
  maxSessions: true,
  idleTimeout: true,
  enabled: true,
  disabled: true,
  alwaysAllow: true,
} as const satisfies Keys<WrittenServer>;

/** What settings are for whose names don't say it. */
const meanings: { readonly [path: string]: string } = {
  mcpRegistry: 'where MCP servers are looked up',
  'serve.token': 'with which clients call tools, and which whoever wrote it knows',
  'serve.oauth': 'the address at which clients log in',
  retention: 'after how many days records are deleted',
  undo: 'how much of what turns change can be taken back',
  sandbox: 'what commands are confined to',
};

/** Every written setting of a home that its other contents don't say, as "path: value". Secrets are left out. Pure. */
export const otherSettings = (written: WrittenConfig): readonly string[] =>
  entriesOf(written, unshown).map(([path, value]) => {
    const meaning = meanings[path];
    return `${path}${meaning === undefined ? '' : `, ${meaning}`}: ${value}`;
  });

/** The same for one MCP server: "env.NODE_OPTIONS: --require ./x.js". Pure. */
export const otherSettingsOfServer = (server: WrittenServer): readonly string[] =>
  entriesOf(server, unshownOfServer).map(([path, value]) => `${path}: ${value}`);

/** Values of maps are shown one by one where a part of them is left out, and otherwise as a whole. */
function entriesOf(value: object, left: Unshown, names: readonly string[] = []): readonly [string, string][] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const path = [...names, name];
    const rest = left === true ? true : (ownOf(left, name) ?? ownOf(left, '*'));
    if (rest === true || inner === undefined || inner === null) return [];
    if (rest !== undefined && typeof inner === 'object') return entriesOf(inner, rest, path);
    return [[path.join('.'), shownSetting(path, inner)]];
  });
}

const ownOf = (left: Exclude<Unshown, true>, name: string): Unshown | undefined =>
  Object.hasOwn(left, name) ? left[name] : undefined;
