import { createHash } from 'node:crypto';
import type { RegisteredTool } from '../api/tool.ts';
import { canonicalNumber } from '../core/documents/decimal.ts';
import { isExact, writtenNumber } from '../core/documents/written-numbers.ts';

const computed = new WeakMap<RegisteredTool, string>();

/** The tool's own fingerprint, or a hash over its definition: 64 hex digits. */
export function fingerprintOf(tool: RegisteredTool): string {
  if (tool.fingerprint !== undefined) return tool.fingerprint;
  let hash = computed.get(tool);
  if (hash === undefined) {
    const { name, description, parameters, annotations } = tool;
    // Of a built-in tool it changes nothing that was approved.
    const outputSchema = tool.source.kind === 'builtin' ? undefined : tool.outputSchema;
    hash = createHash('sha256')
      .update(canonicalJson([tool.source.id, name, description, parameters, outputSchema, annotations]))
      .digest('hex');
    computed.set(tool, hash);
  }
  return hash;
}

/** JSON with sorted keys: equal values give equal text, however their numbers are written. Throws beyond 64 levels. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > 64) throw new Error('nested deeper than 64 levels');
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value))
    return `[${value.map((_, index) => canonicalMember(value, index, depth)).join(',')}]`;
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const item = (value as { readonly [key: string]: unknown })[key];
    if (item === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalMember(value, key, depth)}`;
  }
  return `{${members}}`;
}

/** A number that JavaScript would round keeps its written value. */
function canonicalMember(holder: object, key: string | number, depth: number): string {
  const text = writtenNumber(holder, String(key));
  if (text !== undefined && !isExact(text)) return canonicalNumber(text);
  return canonicalJson((holder as { readonly [key: string | number]: unknown })[key], depth + 1);
}
