import type { ToolResult } from '../../../api/result.ts';
import type { Listing } from '../../../api/source.ts';
import type { Tool, ToolCall } from '../../../api/tool.ts';
import type { McpServerConfig } from '../config.ts';
import {
  instructionsName,
  checkOffer,
  type CheckedOffer,
  type ServerOffer,
} from '../approval/check-offer.ts';
import type { ListedTool } from './listed-tool.ts';
import type { PendingTool, Pins, PinStore } from '../approval/pins.ts';
import { emptyView, toView, type CatalogView, type ToolFactory } from './catalog-view.ts';
import { toTool } from './tools.ts';

/** The approved tools and instructions of one server. */
export interface ToolCatalog {
  readonly listing: Listing;
  /** Neither listed nor callable. */
  readonly pendingTools: readonly PendingTool[];
  /** Approved ones only. */
  readonly instructions: string | undefined;
  /**
   * By either of its names. Also finds blocked tools, since a manifest may offer one under another name and with its
   * own confirmation.
   */
  find(tool: string): ListedTool | undefined;
  isPending(tool: string): boolean;
  /** Why a tool that the server lists can't be used. */
  whyLeftOut(tool: string): string | undefined;
  readonly names: Iterable<string>;
  /**
   * Takes over a list as the server sent it. Approved tools are available immediately. Tools at first sight are
   * available once their approval is stored, which resolves the promise. It never rejects.
   */
  update(offer: ServerOffer): Promise<void>;
  /** Approves what was pending, in the version that was shown; anything that has changed since stays pending. */
  approve(pendingTools: readonly PendingTool[]): Promise<void>;
  /** Withholds everything that the server offers until it is approved again. False when nothing was approved. */
  revoke(): Promise<boolean>;
  /** Resolves when everything approved so far is stored and available. */
  settled(): Promise<void>;
}

export interface ToolCatalogOptions {
  readonly server: string;
  readonly config: McpServerConfig;
  readonly pins: PinStore;
  readonly run: (tool: string, args: unknown, call: ToolCall) => Promise<ToolResult>;
  readonly onSaveFailed: (cause: unknown) => void;
}

export function createToolCatalog(options: ToolCatalogOptions): ToolCatalog {
  const { server, config, onSaveFailed } = options;
  const pins = createServerPins(server, options.pins);
  const toOwnTool = createToolFactory(options);
  const check = (offer: ServerOffer, approved: Pins | undefined): CheckedOffer =>
    checkOffer(server, offer, approved, config.trust ?? false);
  let view: CatalogView = emptyView;
  let latest: ServerOffer | undefined;
  let settling = Promise.resolve();

  const find = (tool: string): ListedTool | undefined => view.tools.get(tool) ?? view.renamed.get(tool);
  const show = (offer: ServerOffer): void => {
    const approved = pins.current;
    view = toView(offer, check(offer, approved), approved, config, toOwnTool);
  };
  const approveNew = async (offer: ServerOffer): Promise<void> => {
    // Checked again: another process may have seen the server first, with other tools.
    const saving = pins.update((stored) => {
      const { pins: tools, instructions = stored?.instructions } = check(offer, stored);
      return { seen: seenAt(stored), tools, ...(instructions && { instructions }) };
    });
    await saving.catch(onSaveFailed);
    if (offer === latest) show(offer);
  };

  return {
    get listing() {
      return view.listing;
    },
    get pendingTools() {
      return [...view.pendingTools.values(), ...(view.pendingInstructions ? [view.pendingInstructions] : [])];
    },
    get instructions() {
      return view.instructions;
    },
    get names() {
      return view.tools.keys();
    },
    find,
    isPending: (tool) => view.pendingTools.has(tool) || view.pendingTools.has(find(tool)?.name ?? ''),
    whyLeftOut: (tool) => view.leftOut.get(tool),
    update(offer) {
      latest = offer;
      show(offer);
      if (!view.isSaved) settling = settling.then(() => approveNew(offer));
      return settling;
    },
    async approve(pendingTools) {
      const chosen = pendingTools.filter(({ name }) => name !== instructionsName);
      const approved = pendingTools.find(({ name }) => name === instructionsName)?.pin;
      await pins.update((stored) => {
        const instructions = approved ?? stored?.instructions;
        const tools = new Map([
          ...(stored?.tools ?? []),
          ...chosen.map(({ name, pin }) => [name, pin] as const),
        ]);
        return { seen: seenAt(stored), tools, ...(instructions && { instructions }) };
      });
    },
    async revoke() {
      const { tools, instructions } = pins.current ?? {};
      if (!tools?.size && !instructions) return false;
      // An old date, so that the next list doesn't count as first sight.
      await pins.update(() => ({ seen: new Date(0).toISOString(), tools: new Map() }));
      return true;
    },
    settled: () => settling,
  };
}

const seenAt = (pins: Pins | undefined): string => pins?.seen ?? new Date().toISOString();

/** Creates tools. An unchanged tool stays the same object, and keeps its compiled schema. */
function createToolFactory({ server, config, run }: ToolCatalogOptions): ToolFactory {
  const made = new Map<string, { readonly hash: string; readonly tool: Tool }>();
  return (listed, hash) => {
    const known = made.get(listed.name);
    if (known?.hash === hash) return known.tool;
    const tool = toTool(server, config, listed, {
      fingerprint: hash,
      execute: (args, call) => run(listed.name, args, call),
    });
    made.set(listed.name, { hash, tool });
    return tool;
  };
}

/** The approvals of one server. If they can't be stored, they apply to this process. */
interface ServerPins {
  /** Undefined when the server has never been seen. */
  readonly current: Pins | undefined;
  /** Resolves when the change would survive a crash; rejects when it can't be written. */
  update(change: (before: Pins | undefined) => Pins): Promise<void>;
}

function createServerPins(server: string, store: PinStore): ServerPins {
  let unwritten: Pins | undefined;
  const current = (): Pins | undefined => unwritten ?? store.get(server);
  return {
    get current() {
      return current();
    },
    async update(change) {
      try {
        await store.update(server, (stored) => change(unwritten ?? stored));
        unwritten = undefined;
      } catch (cause) {
        unwritten = change(current());
        throw cause;
      }
    },
  };
}
