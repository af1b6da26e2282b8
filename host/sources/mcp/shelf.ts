import type { Diagnostic } from '../../api/diagnostic.ts';
import type { ToolResult } from '../../api/result.ts';
import type { Listing } from '../../api/source.ts';
import type { Tool, ToolCall } from '../../api/tool.ts';
import type { CatalogueEntry } from './catalogue.ts';
import type { McpServerConfig } from './config.ts';
import { describeChange } from './describe-change.ts';
import type { ListedTool } from './listed-tool.ts';
import { usesHeaders } from './param-headers.ts';
import {
  isFirstSight,
  judgeTools,
  mayPass,
  heldTool,
  pinOfInstructions,
  type HeldTool,
  type Pin,
  type Pins,
  type PinStore,
} from './pins.ts';
import { checkList, isAdmitted, toTool } from './tools.ts';

/** What one server offers: its tools and its instructions, as far as they are approved. */
export interface Shelf {
  readonly listing: Listing;
  /** Neither listed nor callable. */
  readonly held: readonly HeldTool[];
  /** Approved ones only. */
  readonly instructions: string | undefined;
  /** Also a blocked one: a manifest may offer it under its own name and confirmation. */
  find(tool: string): ListedTool | undefined;
  isHeld(tool: string): boolean;
  readonly names: Iterable<string>;
  /** Takes over a list as the server sent it. What is approved by it is remembered. */
  fill(offer: Offer): void;
  /** Approves what was held back as it was then; what has changed since stays held back. */
  approve(held: readonly HeldTool[]): Promise<void>;
  /** Resolves when everything approved so far is remembered. */
  saved(): Promise<void>;
}

/** What a server says, and how it was reached. */
export type Offer = Pick<CatalogueEntry, 'tools' | 'instructions' | 'transport' | 'era'>;

export interface ShelfOptions {
  readonly server: string;
  readonly config: McpServerConfig;
  readonly pins: PinStore;
  readonly run: (tool: string, args: unknown, call: ToolCall) => Promise<ToolResult>;
  readonly onSaveFailed: (cause: unknown) => void;
}

const instructionsName = '(instructions)';

export function createShelf({ server, config, pins, run, onSaveFailed }: ShelfOptions): Shelf {
  let listing: Listing = { tools: [] };
  let listed = new Map<string, ListedTool>();
  let heldTools = new Map<string, HeldTool>();
  let approvedInstructions: string | undefined;
  let heldInstructions: HeldTool | undefined;
  let saving = Promise.resolve();
  const { trust = false } = config;
  /** A tool that stays as it was stays the same object, and its compiled schema with it. */
  const made = new Map<string, { readonly hash: string; readonly tool: Tool }>();

  /** What is approved, but not on disk yet. */
  let unsaved: Pins | undefined;
  const approvedSoFar = (): Pins | undefined => unsaved ?? pins.get(server);
  /** One after the other. Rejects when it can't be written; then it holds for this process all the same. */
  const save = (next: Pins): Promise<void> => {
    unsaved = next;
    const write = async (): Promise<void> => {
      await pins.set(server, next);
      if (unsaved === next) unsaved = undefined;
    };
    const writing = saving.then(write);
    saving = writing.catch(onSaveFailed);
    return writing;
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

  /** Sets the approved ones of `text`; returns what is approved from now on. */
  const judgeInstructions = (
    text: string | undefined,
    approved: Pin | undefined,
    firstSight: boolean,
  ): Pin | undefined => {
    const pin = text === undefined ? undefined : pinOfInstructions(server, text);
    const passes = pin === undefined || mayPass(pin, approved, { isFirstSight: firstSight, trust });
    heldInstructions = passes ? undefined : heldTool(instructionsName, pin, approved);
    approvedInstructions = passes ? text : undefined;
    return passes ? (pin ?? approved) : approved;
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
    find: (tool) => listed.get(tool),
    isHeld: (tool) => heldTools.has(tool),
    fill({ tools: items, instructions, transport, era }) {
      const before = approvedSoFar();
      const firstSight = isFirstSight(before, Date.now());
      const { tools, diagnostics } = checkList(server, items, usesHeaders(transport, era));
      const verdict = judgeTools(server, tools, {
        pins: before?.tools ?? new Map(),
        isFirstSight: firstSight,
        trust,
      });
      const approved = judgeInstructions(instructions, before?.instructions, firstSight);
      listed = new Map(tools.map((tool) => [tool.name, tool]));
      heldTools = new Map(verdict.held.map((one) => [one.name, one]));
      const admitted = verdict.accepted.filter(({ tool }) => isAdmitted(config, tool.name));
      listing = {
        tools: admitted.map(({ tool, hash }) => toOwnTool(tool, hash)),
        diagnostics: [
          ...diagnostics,
          ...verdict.held.map((one) => heldBack(server, one)),
          ...(heldInstructions ? [instructionsHeldBack(server, heldInstructions)] : []),
        ],
      };
      if (!before || verdict.grown || approved?.hash !== before.instructions?.hash) {
        void save({ seen: seenAt(before), tools: verdict.pins, ...(approved && { instructions: approved }) });
      }
    },
    async approve(held) {
      const before = approvedSoFar();
      const instructions = held.find(({ name }) => name === instructionsName)?.pin ?? before?.instructions;
      const chosen = held.filter(({ name }) => name !== instructionsName);
      const tools = new Map([
        ...(before?.tools ?? []),
        ...chosen.map(({ name, pin }) => [name, pin] as const),
      ]);
      await save({ seen: seenAt(before), tools, ...(instructions && { instructions }) });
    },
    saved: () => saving,
  };
}

const seenAt = (pins: Pins | undefined): string => pins?.seen ?? new Date().toISOString();

function heldBack(server: string, { name, pin, approved, orders }: HeldTool): Diagnostic {
  const changes = describeChange(approved?.definition ?? {}, pin.definition);
  const warning = orders.length > 0 ? ` Careful: ${orders.join('; ')}.` : '';
  return {
    severity: 'warning',
    code: approved ? 'mcp-changed-tool' : 'mcp-new-tool',
    message: `MCP server "${server}": tool "${name}" is ${approved ? 'not what was approved' : 'new'}, and is held back.${warning} ${changes.join('; ')}`,
    hint: `pegboard mcp approve ${server} ${name}`,
  };
}

function instructionsHeldBack(server: string, { pin, orders }: HeldTool): Diagnostic {
  const warning = orders.length > 0 ? `. Careful: ${orders.join('; ')}` : '';
  return {
    severity: 'warning',
    code: 'mcp-changed-instructions',
    message: `MCP server "${server}": its instructions are not what was approved, and are held back${warning}. ${describeChange({}, pin.definition).join('; ')}`,
    hint: `pegboard mcp approve ${server}`,
  };
}
