import type { RecordedCall } from '../../api/conversation.ts';
import { toJson } from '../../core/documents/written-numbers.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';

/** Characters of a call's arguments. */
const maxLength = 120;

/** Says which calls were cut off, in one paragraph for the person. Undefined: none was. */
export function uncertainNotice(calls: readonly RecordedCall[]): string | undefined {
  if (calls.length === 0) return undefined;
  const named = calls.map(({ tool, args }) => `\`${shownCall(tool, args)}\``).join(', ');
  return `⚠️ Pegboard was interrupted during this: ${named}. Whether it took effect is unknown, and Pegboard did not repeat it. Please check.`;
}

function shownCall(tool: string, args: unknown): string {
  const json = toJson(args) ?? '';
  const shown = json.length > maxLength ? `${json.slice(0, maxLength)}…` : json;
  return shownLine(`${tool} ${shown}`).replaceAll('`', "'");
}
