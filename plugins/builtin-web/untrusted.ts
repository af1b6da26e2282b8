import { markUntrusted, textResult, type ToolResult } from 'pegboard';

/** Text that anybody may have written: whoever hands it to a model must know. */
export function fromTheWeb(text: string, origin: string): ToolResult {
  return markUntrusted(textResult(text), { kind: 'web', what: origin });
}
