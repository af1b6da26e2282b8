import { createHash } from 'node:crypto';
import type { JsonObject } from '../../api/result.ts';
import { canonicalJson } from '../../tools/fingerprint.ts';
import type { ListedTool } from './listed-tool.ts';

/** What was approved: by a person, or by being there when the server was first seen. */
export interface Pin {
  readonly hash: string;
  /** To show what changed. */
  readonly definition: unknown;
}

export interface Pins {
  readonly tools: ReadonlyMap<string, Pin>;
  readonly instructions?: Pin;
}

export interface PinStore {
  /** Undefined: the server has never been seen. */
  get(server: string): Pins | undefined;
  set(server: string, pins: Pins): Promise<void>;
}

/** Everything that a model or a person can see of a tool, bound to its server. */
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

export interface Quarantined {
  readonly name: string;
  readonly pin: Pin;
  readonly approved: Pin;
}

export interface Judgement {
  /** With their hashes. */
  readonly accepted: readonly { readonly tool: ListedTool; readonly hash: string }[];
  readonly quarantined: readonly Quarantined[];
  /** What is approved from now on: tools seen for the first time are. */
  readonly pins: ReadonlyMap<string, Pin>;
  readonly grown: boolean;
}

/** A tool that differs from what was approved is held back; `trust` approves whatever the server says. */
export function judgeTools(
  server: string,
  tools: readonly ListedTool[],
  approved: ReadonlyMap<string, Pin>,
  trust: boolean,
): Judgement {
  const pins = new Map(approved);
  const accepted: { tool: ListedTool; hash: string }[] = [];
  const quarantined: Quarantined[] = [];
  let grown = false;
  for (const tool of tools) {
    const pin = pinOf(server, tool);
    const known = approved.get(tool.name);
    if (known && known.hash !== pin.hash && !trust) {
      quarantined.push({ name: tool.name, pin, approved: known });
      continue;
    }
    accepted.push({ tool, hash: pin.hash });
    if (known?.hash === pin.hash) continue;
    pins.set(tool.name, pin);
    grown = true;
  }
  return { accepted, quarantined, pins, grown };
}
