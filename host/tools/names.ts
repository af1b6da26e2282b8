import { createHash } from 'node:crypto';
import type { RegisteredTool } from '../api/tool.ts';

/** Clients put `mcp__pegboard__` (15 characters) in front and fail past 64. */
export const maxWireNameLength = 49;
const hashLength = 8;

/** Only `[A-Za-z0-9_-]`, at most 49 characters; a changed name ends in a hash, so that no two names collide. */
export function toWireName(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_');
  return plain === name && name.length <= maxWireNameLength ? name : toHashedWireName(name);
}

export function toHashedWireName(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_');
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${plain.slice(0, maxWireNameLength - hashLength - 1).replace(/_+$/, '')}_${hash}`;
}

/** `module__tool`: the wire name where the bare name belongs to another tool, and of all MCP servers' tools. */
export const qualifiedWireName = (module: string, name: string): string => toWireName(`${module}__${name}`);

/** Every exact form by which a tool may be called, besides its bare name. */
export function formsOf(tool: RegisteredTool): string[] {
  const { module } = tool.source;
  const qualified = `${module}__${tool.name}`;
  return [
    tool.id,
    tool.wireName,
    qualifiedWireName(module, tool.name),
    qualified,
    `mcp__${qualified}`,
    `mcp__pegboard__${tool.wireName}`,
  ];
}
