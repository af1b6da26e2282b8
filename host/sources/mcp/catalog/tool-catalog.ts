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
import type { PendingTool, PinCheck, Pins, PinStore } from '../approval/pins.ts';
import { isAdmitted, toTool } from './tools.ts';

/** What one server offers: its tools and its instructions, as far as they are approved. */
export interface ToolCatalog {
  readonly listing: Listing;
  /** Neither listed nor callable. */
  readonly held: readonly PendingTool[];
  /** Approved ones only. */
  readonly instructions: string | undefined;
  /** By either of its names. Also a blocked one: a manifest may offer it under its own name and confirmation. */
  find(tool: string): ListedTool | undefined;
  isHeld(tool: string): boolean;
  /** Why a tool that the server lists can't be used. */
  whyLeftOut(tool: string): string | undefined;
  readonly names: Iterable<string>;
  /**
   * Takes over a list as the server sent it. What is approved already is there at once; what this list is the first sight
   * of is there when it is remembered, and not before: then the promise resolves. It never rejects.
   */
  update(offer: ServerOffer): Promise<void>;
  /** Approves what was held back as it was then; what has changed since stays held back. */
  approve(held: readonly PendingTool[]): Promise<void>;
  /** Holds back whatever the server says from now on, until it is approved. False: nothing was approved. */
  revoke(): Promise<boolean>;
  /** Resolves when everything approved so far is remembered, and there. */
  filled(): Promise<void>;
}

export interface ToolCatalogOptions {
  readonly server: string;
  readonly config: McpServerConfig;
  readonly pins: PinStore;
  readonly run: (tool: string, args: unknown, call: ToolCall) => Promise<ToolResult>;
  readonly onSaveFailed: (cause: unknown) => void;
}

export function createToolCatalog({
  server,
  config,
  pins,
  run,
  onSaveFailed,
}: ToolCatalogOptions): ToolCatalog {
  let listing: Listing = { tools: [] };
  let listed = new Map<string, ListedTool>();
  /** By what the server calls them. */
  let renamed = new Map<string, ListedTool>();
  let leftOut: ReadonlyMap<string, string> = new Map();
  let heldTools = new Map<string, PendingTool>();
  let approvedInstructions: string | undefined;
  let heldInstructions: PendingTool | undefined;
  let filling = Promise.resolve();
  const { trust = false } = config;
  /** A tool that stays as it was stays the same object, and its compiled schema with it. */
  const made = new Map<string, { readonly hash: string; readonly tool: Tool }>();

  /** What could not be written: it holds for this process all the same. */
  let unwritten: Pins | undefined;
  const approvedSoFar = (): Pins | undefined => unwritten ?? pins.get(server);
  /** Rejects when it can't be written. */
  const save = async (change: (stored: Pins | undefined) => Pins): Promise<void> => {
    try {
      await pins.update(server, (stored) => change(unwritten ?? stored));
      unwritten = undefined;
    } catch (cause) {
      unwritten = change(approvedSoFar());
      throw cause;
    }
  };

  const toOwnTool = (tool: ListedTool, hash: string): Tool => {
    const known = made.get(tool.name);
    if (known?.hash === hash) return known.tool;
    const fresh = toTool(server, config, tool, {
      fingerprint: hash,
      execute: (args, call) => run(tool.name, args, call),
    });
    made.set(tool.name, { hash, tool: fresh });
    return fresh;
  };

  const judge = (offer: ServerOffer, approved: Pins | undefined): CheckedOffer =>
    checkOffer(server, offer, approved, trust);

  /** Shows of an offer what is approved and remembered. False: there is more to remember. */
  const show = (offer: ServerOffer): boolean => {
    const approved = approvedSoFar();
    const judged = judge(offer, approved);
    const isKept = ({ tool, hash }: PinCheck['accepted'][number]): boolean =>
      approved?.tools.get(tool.name)?.hash === hash;
    const kept = judged.accepted.filter(isKept);
    const coming = new Set(judged.accepted.flatMap((one) => (isKept(one) ? [] : [one.tool.name])));
    const areInstructionsKept = judged.instructions?.hash === approved?.instructions?.hash;
    listed = new Map(judged.tools.filter(({ name }) => !coming.has(name)).map((tool) => [tool.name, tool]));
    renamed = new Map(
      [...listed.values()]
        .filter(({ name, ownName }) => name !== ownName)
        .map((tool) => [tool.ownName, tool]),
    );
    leftOut = judged.leftOut;
    heldTools = new Map(judged.held.map((one) => [one.name, one]));
    heldInstructions = judged.heldInstructions;
    approvedInstructions = judged.instructions && areInstructionsKept ? offer.instructions : undefined;
    listing = {
      tools: kept
        .filter(({ tool }) => isAdmitted(config, tool))
        .map(({ tool, hash }) => toOwnTool(tool, hash)),
      diagnostics: judged.diagnostics,
    };
    return approved !== undefined && coming.size === 0 && (!judged.instructions || areInstructionsKept);
  };

  const find = (tool: string): ListedTool | undefined => listed.get(tool) ?? renamed.get(tool);

  let latest: ServerOffer | undefined;
  const remember = async (offer: ServerOffer): Promise<void> => {
    // Judged anew: another process may have met the server first, with other tools.
    await save((stored) => {
      const { pins: tools, instructions = stored?.instructions } = judge(offer, stored);
      return { seen: seenAt(stored), tools, ...(instructions && { instructions }) };
    }).catch(onSaveFailed);
    if (offer === latest) show(offer);
  };

  return {
    get listing() {
      return listing;
    },
    get held() {
      return [...heldTools.values(), ...(heldInstructions ? [heldInstructions] : [])];
    },
    get instructions() {
      return approvedInstructions;
    },
    get names() {
      return listed.keys();
    },
    find,
    isHeld: (tool) => heldTools.has(tool) || heldTools.has(find(tool)?.name ?? ''),
    whyLeftOut: (tool) => leftOut.get(tool),
    update(offer) {
      latest = offer;
      if (show(offer)) return filling;
      filling = filling.then(() => remember(offer));
      return filling;
    },
    async approve(held) {
      const chosen = held.filter(({ name }) => name !== instructionsName);
      const approved = held.find(({ name }) => name === instructionsName)?.pin;
      await save((stored) => {
        const instructions = approved ?? stored?.instructions;
        const tools = new Map([
          ...(stored?.tools ?? []),
          ...chosen.map(({ name, pin }) => [name, pin] as const),
        ]);
        return { seen: seenAt(stored), tools, ...(instructions && { instructions }) };
      });
    },
    async revoke() {
      const { tools, instructions } = approvedSoFar() ?? {};
      if (!tools?.size && !instructions) return false;
      // Seen long ago: what it lists next is no first sight.
      await save(() => ({ seen: new Date(0).toISOString(), tools: new Map() }));
      return true;
    },
    filled: () => filling,
  };
}

const seenAt = (pins: Pins | undefined): string => pins?.seen ?? new Date().toISOString();
