import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { Tool, ToolCall } from '../../../api/tool.ts';
import type { ToolResult } from '../../../api/result.ts';
import { matchesGlob } from '../../../core/text/glob.ts';
import { toHashedWireName } from '../../../tools/names.ts';
import { defaultTimeoutSeconds, taskTimeoutSeconds, type McpServerConfig } from '../config.ts';
import { checkListedTool, type ListedTool } from './listed-tool.ts';

export interface CheckedList {
  readonly tools: readonly ListedTool[];
  readonly diagnostics: readonly Diagnostic[];
  /** By name, the reasons why tools can't be used. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/**
 * The usable tools of a server's list. A broken tool doesn't affect the others. `withHeaders`: whether the transport
 * sends parameters as headers.
 */
export function checkList(server: string, items: readonly unknown[], withHeaders: boolean): CheckedList {
  const tools = new Map<string, ListedTool>();
  const diagnostics: Diagnostic[] = [];
  const leftOut = new Map<string, string>();
  for (const [index, item] of items.entries()) {
    const tool = checkListedTool(item, withHeaders);
    if (typeof tool === 'string') {
      const diagnostic = dropped(server, nameOf(item, index), tool);
      diagnostics.push(diagnostic);
      leftOut.set(String((item as { readonly name?: unknown } | null)?.name), diagnostic.message);
    } else if (tools.has(tool.ownName)) diagnostics.push(duplicate(server, tool.ownName));
    else {
      tools.set(tool.ownName, tool);
      diagnostics.push(...tool.warnings.map((warning) => odd(server, tool.name, warning)));
    }
  }
  return { tools: withNamesOfTheirOwn([...tools.values()]), diagnostics, leftOut };
}

/** A derived name may be the real name of another tool, by chance or on purpose. */
function withNamesOfTheirOwn(tools: readonly ListedTool[]): readonly ListedTool[] {
  const taken = new Set(tools.flatMap(({ name, ownName }) => (name === ownName ? [name] : [])));
  return tools.map((tool) => {
    if (tool.name === tool.ownName) return tool;
    let { name } = tool;
    for (let more = '#'; taken.has(name); more += '#') name = toHashedWireName(tool.ownName + more);
    taken.add(name);
    return name === tool.name ? tool : { ...tool, name };
  });
}

/** The tools of a server that the configuration allows, by either of their names. */
export function isAdmitted({ allow, block }: McpServerConfig, tool: ListedTool): boolean {
  return (allow === undefined || matchesAny(allow, tool)) && !matchesAny(block ?? [], tool);
}

const matchesAny = (patterns: readonly string[], { name, ownName }: ListedTool): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, name) || matchesGlob(pattern, ownName));

export function toTool(
  server: string,
  config: McpServerConfig,
  listed: ListedTool,
  parts: {
    readonly fingerprint: string;
    readonly execute: (args: unknown, call: ToolCall) => Promise<ToolResult>;
  },
): Tool {
  const { name, title, description, inputSchema, outputSchema, annotations, icons, execution, meta } = listed;
  const { confirm = false, trust = false } = config;
  return {
    name,
    ...(!trust && { untrusted: { kind: 'mcp', what: server } as const }),
    relays: true,
    ...(title !== undefined && { title }),
    description,
    parameters: inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(execution && { execution }),
    ...(meta && { meta }),
    timeout:
      config.timeout ??
      (execution?.['taskSupport'] === 'required' ? taskTimeoutSeconds : defaultTimeoutSeconds),
    confirm: typeof confirm === 'boolean' ? confirm : matchesAny(confirm, listed),
    ...(listed.ownName !== name && { aliases: [listed.ownName] }),
    origin: `MCP server "${server}"`,
    ...(!listed.checkable && { validateArguments: false }),
    fillDefaults: false,
    ...parts,
  };
}

function nameOf(item: unknown, index: number): string {
  const name = (item as { readonly name?: unknown } | null)?.name;
  return typeof name === 'string' ? JSON.stringify(name.slice(0, 60)) : `number ${index + 1}`;
}

const dropped = (server: string, tool: string, reason: string): Diagnostic => ({
  severity: 'error',
  code: 'mcp-malformed-tool',
  message: `MCP server "${server}": tool ${tool} is left out: ${reason}`,
});

const duplicate = (server: string, tool: string): Diagnostic => ({
  severity: 'warning',
  code: 'mcp-duplicate-tool',
  message: `MCP server "${server}" lists "${tool}" more than once; the first is used`,
});

const odd = (server: string, tool: string, warning: string): Diagnostic => ({
  severity: 'warning',
  code: 'mcp-odd-tool',
  message: `MCP server "${server}", tool "${tool}": ${warning}`,
});
