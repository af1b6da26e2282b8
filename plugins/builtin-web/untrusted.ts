import { textResult, type ToolResult } from 'pegboard';

/** Text that anybody may have written: whoever hands it to a model must know. */
export function fromTheWeb(text: string, origin: string): ToolResult {
  return { ...textResult(text), meta: { 'pegboard/untrusted': { from: 'web', origin } } };
}
