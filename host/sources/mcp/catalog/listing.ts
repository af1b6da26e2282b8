import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { JsonObject } from '../../../api/result.ts';
import { PegboardError } from '../../../core/errors.ts';
import { withCommas } from '../../../core/text/with-commas.ts';

/** Maximum items and pages of one list: a server whose cursor never ends is cut off there. */
const maxItems = 20_000;
const maxPages = 1_000;

export interface Listed {
  readonly items: readonly unknown[];
  /** Why the list is incomplete. */
  readonly cutOff?: string;
}

/** All pages of a list. Items are as the server sent them; a malformed page ends the list. */
export async function listAll(
  request: (method: string, params: JsonObject) => Promise<JsonObject>,
  method: string,
  key: string,
): Promise<Listed> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const page = await request(method, cursor === undefined ? {} : { cursor });
    const part = page[key];
    if (!Array.isArray(part)) return { items, cutOff: `the answer to ${method} has no list of ${key}` };
    for (const item of part as unknown[]) items.push(item);
    const next = page['nextCursor'];
    if (typeof next !== 'string' || next === '') return { items };
    if (seen.has(next)) return { items, cutOff: `${method} gave the same cursor twice` };
    if (items.length >= maxItems)
      return { items: items.slice(0, maxItems), cutOff: tooMany(method, maxItems, 'items') };
    if (seen.size >= maxPages - 1) return { items, cutOff: tooMany(method, maxPages, 'pages') };
    seen.add(next);
    cursor = next;
  }
}

export const incompleteList = (server: string, cutOff: string): Diagnostic => ({
  severity: 'warning',
  code: 'mcp-list-cut',
  message: `MCP server "${server}": ${cutOff}`,
});

/** The error for a missing tool that may be in the unread part of the list. */
export const notInIncompleteList = (server: string, tool: string, cutOff: string): PegboardError =>
  new PegboardError(
    'PEG_TOOL_NOT_FOUND',
    `MCP server "${server}" lists no tool "${tool}" as far as its list can be read: ${cutOff}.`,
    { data: { server, leftOut: true } },
  );

const tooMany = (method: string, limit: number, what: string): string =>
  `${method} has more than ${withCommas(limit)} ${what}`;
