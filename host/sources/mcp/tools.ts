import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Tool, ToolCall } from '../../api/tool.ts';
import type { ToolResult } from '../../api/result.ts';
import { matchesGlob } from '../../core/glob.ts';
import { defaultTimeout, taskTimeout, type McpServerConfig } from './config.ts';
import { checkListedTool, type ListedTool } from './listed-tool.ts';

export interface CheckedList {
  readonly tools: readonly ListedTool[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The usable ones of what a server lists, over a transport `withHeaders` for parameters or not. What is wrong with one costs the others nothing. */
export function checkList(server: string, items: readonly unknown[], withHeaders: boolean): CheckedList {
  const tools = new Map<string, ListedTool>();
  const diagnostics: Diagnostic[] = [];
  for (const [index, item] of items.entries()) {
    const tool = checkListedTool(item, withHeaders);
    if (typeof tool === 'string') diagnostics.push(dropped(server, nameOf(item, index), tool));
    else if (tools.has(tool.name)) diagnostics.push(duplicate(server, tool.name));
    else {
      tools.set(tool.name, tool);
      diagnostics.push(...tool.warnings.map((warning) => odd(server, tool.name, warning)));
    }
  }
  return { tools: [...tools.values()], diagnostics };
}

/** A server's tools as the configuration lets them through. */
export function isAdmitted({ allow, block }: McpServerConfig, name: string): boolean {
  const matches = (pattern: string): boolean => matchesGlob(pattern, name);
  return (allow?.some(matches) ?? true) && !block?.some(matches);
}

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
    ...(title !== undefined && { title }),
    description,
    parameters: inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(execution && { execution }),
    ...(meta && { meta }),
    timeout: config.timeout ?? (execution?.['taskSupport'] === 'required' ? taskTimeout : defaultTimeout),
    confirm: typeof confirm === 'boolean' ? confirm : confirm.some((pattern) => matchesGlob(pattern, name)),
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
