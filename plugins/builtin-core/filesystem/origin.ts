import { markUntrusted, textResult, type ToolResult } from 'pegboard';
import { fromHome, type Roots } from './roots.ts';

/** A result that shows something of what lies at `path`, marked as others' words unless that is in the home. */
export function shownFrom(roots: Roots, path: string, shown: ToolResult | string): ToolResult {
  const result = typeof shown === 'string' ? textResult(shown) : shown;
  return fromHome(roots, path) ? result : markUntrusted(result, { kind: 'file', what: path });
}
