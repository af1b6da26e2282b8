import { markUntrusted, textResult, type ToolResult } from 'pegboard';

/** Untrusted text from the web. */
export function webResult(text: string, origin: string): ToolResult {
  return markUntrusted(textResult(text), { kind: 'web', what: origin });
}
