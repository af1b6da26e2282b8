import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../api/result.ts';
import { canonicalJson } from '../../../tools/fingerprint.ts';
import type { ListedTool } from '../catalog/listed-tool.ts';
import { findInjectionPatterns } from '../../../core/foreign/injection-patterns.ts';

/** What was approved, either by a person or because the server offered it when it was first seen. */
export interface Pin {
  readonly hash: string;
  /** To show what changed. */
  readonly definition: JsonObject;
}

export interface Pins {
  /** When the server was first seen: ISO 8601. */
  readonly seen: string;
  readonly tools: ReadonlyMap<string, Pin>;
  readonly instructions?: Pin;
}

export interface PinStore {
  /** Undefined: the server has never been seen. */
  get(server: string): Pins | undefined;
  /** Resolves with the stored pins once they would survive a crash. No other process changes them in between. */
  update(server: string, change: (stored: Pins | undefined) => Pins): Promise<Pins>;
}

/** Everything of a tool that a model or a person can see, bound to its server. */
function pinOf(server: string, { raw }: ListedTool): Pin {
  const { name, title, description, inputSchema, outputSchema, annotations, icons, _meta } = raw;
  const definition = { name, title, description, inputSchema, outputSchema, annotations, icons, _meta };
  return { hash: hashOf(server, 'tool', definition), definition };
}

export function pinOfInstructions(server: string, instructions: string): Pin {
  return { hash: hashOf(server, 'instructions', { instructions }), definition: { instructions } };
}

function hashOf(server: string, kind: string, definition: JsonObject): string {
  return createHash('sha256')
    .update(`pegboard-${kind}-1\0${server}\0${canonicalJson(definition)}`)
    .digest('hex');
}

/** A tool, or the instructions of a server, that differs from what was approved. */
export interface PendingTool {
  readonly name: string;
  readonly pin: Pin;
  /** Absent: it is new. */
  readonly approved?: Pin;
  /** Descriptions of texts in it that read like orders to the model. */
  readonly injectionPatterns: readonly string[];
}

export interface PinCheck {
  /** With their hashes. */
  readonly accepted: readonly { readonly tool: ListedTool; readonly hash: string }[];
  readonly pending: readonly PendingTool[];
  /** The pins that apply from now on. */
  readonly pins: ReadonlyMap<string, Pin>;
}

export interface PinPolicy {
  readonly pins: ReadonlyMap<string, Pin>;
  /** The owner has just connected the server, and approves what it lists first. */
  readonly isFirstSight: boolean;
  /** The owner approves everything from this server. */
  readonly trust: boolean;
}

/** Milliseconds after a server was first seen in which its lists still count as first sight: some list in two steps. */
const firstSightMs = 60_000;

export function isFirstSight(pins: Pins | undefined, now: number): boolean {
  return pins === undefined || now - Date.parse(pins.seen) < firstSightMs;
}

/**
 * At first sight everything is approved, except texts that give orders to the model. After that, anything new or
 * changed is pending approval.
 */
export function checkPins(server: string, tools: readonly ListedTool[], approval: PinPolicy): PinCheck {
  const pins = new Map(approval.pins);
  const accepted: { tool: ListedTool; hash: string }[] = [];
  const pending: PendingTool[] = [];
  for (const tool of tools) {
    const pin = pinOf(server, tool);
    const approved = approval.pins.get(tool.name);
    if (!mayPass(pin, approved, approval)) {
      pending.push(pendingTool(tool.name, pin, approved));
      continue;
    }
    accepted.push({ tool, hash: pin.hash });
    pins.set(tool.name, pin);
  }
  return { accepted, pending, pins };
}

export const pendingTool = (name: string, pin: Pin, approved: Pin | undefined): PendingTool => ({
  name,
  pin,
  injectionPatterns: findInjectionPatterns(pin.definition),
  ...(approved && { approved }),
});

/** Whether the current definition is the approved one, or is approved now. */
export function mayPass(pin: Pin, approved: Pin | undefined, how: Omit<PinPolicy, 'pins'>): boolean {
  if (how.trust || pin.hash === approved?.hash) return true;
  return how.isFirstSight && approved === undefined && findInjectionPatterns(pin.definition).length === 0;
}
