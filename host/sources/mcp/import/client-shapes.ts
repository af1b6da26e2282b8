import type { JsonObject } from '../../../api/result.ts';
import { isObject } from '../transport/rpc-message.ts';

/** Converts Zed's object of program and arguments, and OpenCode's list of both, to the usual form. */
export function flatEntry(entry: JsonObject): JsonObject {
  const { command } = entry;
  if (Array.isArray(command)) {
    const [program, ...args] = command as unknown[];
    return { ...entry, command: program, args };
  }
  if (!isObject(command)) return entry;
  const { path, command: program = path, ...parts } = command;
  return { ...entry, ...parts, command: program };
}

/** The paths under which clients' files contain servers. */
export const knownKeys: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['servers'],
  ['mcp', 'servers'],
  ['mcp_servers'],
  ['context_servers'],
  ['mcp'],
];

/** Defaults of the values that VS Code asks for. */
export function inputDefaults(settings: unknown): ReadonlyMap<string, string> {
  const inputs = isObject(settings) && Array.isArray(settings['inputs']) ? settings['inputs'] : [];
  return new Map(
    (inputs as unknown[]).flatMap((input) =>
      isObject(input) && typeof input['id'] === 'string' && typeof input['default'] === 'string'
        ? [[input['id'], input['default']] as const]
        : [],
    ),
  );
}
