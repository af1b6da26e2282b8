import type { Listing } from '../../../api/source.ts';
import type { Tool } from '../../../api/tool.ts';
import type { CheckedOffer, ServerOffer } from '../approval/check-offer.ts';
import type { PendingTool, PinCheck, Pins } from '../approval/pins.ts';
import type { McpServerConfig } from '../config.ts';
import type { ListedTool } from './listed-tool.ts';
import { isAdmitted } from './tools.ts';

/** The visible part of one offer. */
export interface CatalogView {
  readonly listing: Listing;
  /** The usable tools, by name. */
  readonly tools: ReadonlyMap<string, ListedTool>;
  /** Those whose name differs from the server's own, by the server's name. */
  readonly renamed: ReadonlyMap<string, ListedTool>;
  readonly leftOut: ReadonlyMap<string, string>;
  readonly pendingTools: ReadonlyMap<string, PendingTool>;
  readonly pendingInstructions: PendingTool | undefined;
  readonly instructions: string | undefined;
  /** Whether everything that may be used is in the stored approvals. */
  readonly isSaved: boolean;
}

export const emptyView: CatalogView = {
  listing: { tools: [] },
  tools: new Map(),
  renamed: new Map(),
  leftOut: new Map(),
  pendingTools: new Map(),
  pendingInstructions: undefined,
  instructions: undefined,
  isSaved: false,
};

export type ToolFactory = (tool: ListedTool, hash: string) => Tool;

/** Without what is accepted, but not yet in `approved`. */
export function toView(
  offer: ServerOffer,
  checked: CheckedOffer,
  approved: Pins | undefined,
  config: McpServerConfig,
  toOwnTool: ToolFactory,
): CatalogView {
  const isSaved = ({ tool, hash }: PinCheck['accepted'][number]): boolean =>
    approved?.tools.get(tool.name)?.hash === hash;
  const saved = checked.accepted.filter(isSaved);
  const unsaved = new Set(checked.accepted.flatMap((one) => (isSaved(one) ? [] : [one.tool.name])));
  const areInstructionsSaved = checked.instructions?.hash === approved?.instructions?.hash;
  const tools = checked.tools.filter(({ name }) => !unsaved.has(name));
  return {
    listing: {
      tools: saved
        .filter(({ tool }) => isAdmitted(config, tool))
        .map(({ tool, hash }) => toOwnTool(tool, hash)),
      diagnostics: checked.diagnostics,
    },
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    renamed: new Map(
      tools.filter(({ name, ownName }) => name !== ownName).map((tool) => [tool.ownName, tool]),
    ),
    leftOut: checked.leftOut,
    pendingTools: new Map(checked.pending.map((one) => [one.name, one])),
    pendingInstructions: checked.pendingInstructions,
    instructions: checked.instructions && areInstructionsSaved ? offer.instructions : undefined,
    isSaved: approved !== undefined && unsaved.size === 0 && (!checked.instructions || areInstructionsSaved),
  };
}
