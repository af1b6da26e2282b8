import { createHash } from 'node:crypto';
import type { ToolSource } from '../api/source.ts';
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

/** As callers may write a tool of a server whose module isn't called as it is; what others are called comes first. */
export function formsByServer({ name, source }: RegisteredTool): readonly string[] {
  const server = serverOf(source);
  return source.kind === 'mcp' && source.module !== server ? [`${server}.${name}`, `${server}__${name}`] : [];
}

/** The server of a source, as its entry is called. */
export const serverOf = ({ id, module }: Pick<ToolSource, 'id' | 'module'>): string =>
  /^mcp:(.*)$/s.exec(id)?.[1] ?? module;

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

/** Whether it is the tool's name as it is written, and not only as models write it. */
export const isNameOf = (name: string, tool: RegisteredTool): boolean =>
  [tool.id, tool.name, tool.wireName, ...formsOf(tool)].includes(name);

/** Characters. A longer name is understood as it is written, only. */
const maxLooseLength = 1_000;

/** What models put before names of functions. */
const namespace = /^(?:functions?|tools?|default_api)[./:]+/i;

/**
 * The keys by which a name is understood that is not written exactly: any case, `.`, `/`, `:` or `__` between module and
 * tool, `_`, `-` or spaces between words; as it is, and without the name space that models put before it.
 */
export function looseKeysOf(name: string): readonly string[] {
  if (name.length > maxLooseLength) return [];
  const key = (text: string): string =>
    text
      .normalize('NFC')
      .trim()
      .toLowerCase()
      .replaceAll(/__+|[./:]+/g, '.')
      .replaceAll(/[\s_-]+/g, '_');
  return [...new Set([key(name), key(name.replace(namespace, ''))])];
}
