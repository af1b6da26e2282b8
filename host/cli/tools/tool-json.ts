import { join, relative } from 'node:path';
import type { Diagnostic } from '../../api/diagnostic.ts';
import type { RegisteredTool } from '../../api/tool.ts';

/**
 * One tool as `tools --json` lists it. `name` is what models and MCP clients call it; seconds for `timeout`. Optional
 * fields are present where the tool has them.
 */
export function toolToJson(tool: RegisteredTool): object {
  const { title, tags, aliases, examples } = tool;
  return {
    id: tool.id,
    name: tool.wireName,
    source: tool.source.id,
    kind: tool.source.kind,
    description: tool.description,
    category: tool.category ?? null,
    parameters: tool.parameters,
    confirm: tool.confirm ?? false,
    timeout: tool.timeout ?? 60,
    ...(title !== undefined && { title }),
    ...(tags && { tags }),
    ...(aliases && { aliases }),
    ...(examples && { examples }),
  };
}

/** Always with all keys but `hint`; the path relative to the home when it lies inside. */
export function diagnosticToJson(diagnostic: Diagnostic, home: string): object {
  const { severity, code, message, path, line, column, hint } = diagnostic;
  return {
    severity,
    code,
    message,
    path: path === undefined ? null : shortPath(path, home),
    line: line ?? null,
    column: column ?? null,
    ...(hint !== undefined && { hint }),
  };
}

export function shortPath(path: string, home: string): string {
  const way = relative(home, path);
  return way === '' || way.startsWith('..') || join(home, way) !== path ? path : way;
}
