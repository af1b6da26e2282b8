import { randomUUID } from 'node:crypto';
import type { ModelToolCall } from '../../../api/model.ts';
import { parseJson, toJson } from '../../../core/documents/written-numbers.ts';

/** A streamed piece of a tool call: any part of it may be missing, null or repeated. */
export interface CallDelta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: {
    readonly name?: string | null;
    readonly arguments?: string | object | null;
  } | null;
  /** Google's thought signatures; sent back with the call. */
  readonly extra_content?: unknown;
}

interface Slot {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  extra: unknown;
}

/** The name of a call without one. No tool has this name, so the model gets an error. */
export const unnamed = 'unnamed';

/** A complete call, with the fields that its provider wants back. */
export interface AssembledCall extends ModelToolCall {
  readonly extra?: unknown;
}

/**
 * Assembles streamed calls. Servers leave out the index or the id, send arguments as an object, split names, or repeat
 * id and name with every piece. `known`: the offered names, which distinguish a repeated name from a split one.
 */
export function createCallAssembler(known: ReadonlySet<string>): {
  add(delta: CallDelta): void;
  readonly calls: readonly AssembledCall[];
} {
  const slots: Slot[] = [];

  const slotFor = (delta: CallDelta): Slot => {
    const found = find(slots, delta);
    if (found) return found;
    const slot = { index: delta.index ?? undefined, id: '', name: '', arguments: '', extra: undefined };
    slots.push(slot);
    return slot;
  };

  return {
    add(delta) {
      const slot = slotFor(delta);
      if (delta.id) slot.id = delta.id;
      if (delta.extra_content !== undefined && delta.extra_content !== null) slot.extra = delta.extra_content;
      slot.name = joinNames(slot.name, delta.function?.name ?? '', known);
      slot.arguments = joinArguments(slot.arguments, delta.function?.arguments ?? '');
    },
    get calls() {
      const used = new Set<string>();
      return slots
        .filter(({ name, arguments: text }) => name !== '' || text !== '')
        .map(({ id, name, arguments: text, extra }) => {
          const own = id === '' || used.has(id) ? `call_${randomUUID().slice(0, 13)}` : id;
          used.add(own);
          return { id: own, name: name || unnamed, arguments: text, ...(extra !== undefined && { extra }) };
        });
    },
  };
}

/** The call that a piece belongs to; undefined when it begins a new one. */
function find(slots: readonly Slot[], { index, id, function: piece }: CallDelta): Slot | undefined {
  const last = slots.at(-1);
  if (id) {
    const same = slots.find((slot) => slot.id === id && (index ?? slot.index) === slot.index);
    if (same) return same;
  }
  if (index !== null && index !== undefined) {
    const at = slots.findLast((slot) => slot.index === index);
    // Some servers give every call the index 0.
    const another = at && id && at.id !== '' && at.id !== id && piece?.name;
    return another ? undefined : at;
  }
  if (!last) return undefined;
  if (id && last.id !== '') return undefined;
  // Without index and id, a name after arguments begins the next call.
  return piece?.name && last.arguments !== '' ? undefined : last;
}

function joinNames(soFar: string, piece: string, known: ReadonlySet<string>): string {
  if (soFar === '' || piece === '') return soFar || piece;
  const joined = soFar + piece;
  if (known.has(joined)) return joined;
  if (soFar === piece || (piece.startsWith(soFar) && known.has(piece))) return piece;
  return joined;
}

function joinArguments(soFar: string, piece: string | object): string {
  if (typeof piece === 'object') return joinArguments(soFar, toJson(piece));
  if (soFar === '' || piece === '') return soFar || piece;
  // An empty object sent first, or everything repeated at the end.
  if (soFar === '{}' || soFar === piece) return isWhole(piece) ? piece : soFar + piece;
  return soFar + piece;
}

function isWhole(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
