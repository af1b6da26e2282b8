import { createHash } from 'node:crypto';
import type { RegisteredTool } from '../api/tool.ts';

const computed = new WeakMap<RegisteredTool, string>();

/** The tool's own fingerprint, or a hash over its definition: 64 hex digits. */
export function fingerprintOf(tool: RegisteredTool): string {
  if (tool.fingerprint !== undefined) return tool.fingerprint;
  let hash = computed.get(tool);
  if (hash === undefined) {
    const { name, description, parameters, outputSchema, annotations } = tool;
    hash = createHash('sha256')
      .update(canonicalJson([tool.source.id, name, description, parameters, outputSchema, annotations]))
      .digest('hex');
    computed.set(tool, hash);
  }
  return hash;
}

/** JSON with sorted keys: equal values give equal text. Throws beyond 64 levels. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > 64) throw new Error('nested deeper than 64 levels');
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const item = (value as { readonly [key: string]: unknown })[key];
    if (item === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(item, depth + 1)}`;
  }
  return `{${members}}`;
}
