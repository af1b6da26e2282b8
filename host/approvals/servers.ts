import { diffOf } from '../core/text/diff.ts';
import { exactLine, exactText } from '../core/foreign/shown-text.ts';
import type { PendingTool } from '../sources/mcp/approval/pins.ts';
import { resemblance } from '../tools/look-alikes.ts';
import type { PendingApproval, ApprovalReview, ApprovingHost } from './pending-approval.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import type { McpSource } from '../sources/mcp/mcp-source.ts';

/** Tools and texts of MCP servers that are new or changed since they were approved. */
export function pendingAtServers(host: ApprovingHost): readonly PendingApproval[] {
  return host.servers.all.flatMap((server) => {
    const { name, pendingTools } = server;
    if (pendingTools.length === 0) return [];
    const what = pendingTools.map((one) => {
      const like = likeOf(one, server, host);
      return `${name}.${one.name}${like === undefined ? '' : ` (careful: ${like})`}`;
    });
    return [{ id: name, what, review: () => reviewTools(server, pendingTools, host) }];
  });
}

/** The items of a server that are pending approval, or some of them. */
export function reviewTools(
  server: McpSource,
  pending: readonly PendingTool[],
  host: Pick<ApprovingHost, 'registry'>,
): ApprovalReview {
  const names = pending.map(({ name }) => exactLine(name)).join(', ');
  return {
    question: `Approve ${names} of the MCP server ${server.name} as shown?`,
    detail: pending.map(differenceOf).join('\n\n'),
    isComplete: true,
    warnings: pending.flatMap((one) => {
      const like = likeOf(one, server, host);
      const all = like === undefined ? one.injectionPatterns : [...one.injectionPatterns, like];
      return all.map((text) => `${server.name}.${exactLine(one.name)}: ${text}`);
    }),
    async approve() {
      await server.approve(pending);
      return `Approved: ${names}.`;
    },
  };
}

const likeOf = (
  { name }: PendingTool,
  { module }: McpSource,
  { registry }: Pick<ApprovingHost, 'registry'>,
): string | undefined => resemblance(name, module, registry.snapshot);

/** Nothing is shortened: a part that isn't shown would be approved unseen. */
function differenceOf({ name, pin, approved }: PendingTool): string {
  const before = approved ? toText(approved.definition) : '';
  const difference = diffOf(before, toText(pin.definition), { maxLines: Infinity });
  return `${exactLine(name)} ${approved ? 'is not what was approved' : 'is new'}\n${difference}`;
}

const toText = (definition: object): string => exactText(toJson(definition, 2));
