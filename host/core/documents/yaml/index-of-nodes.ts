import { EVENT_ID, SCALAR_STYLE, getScalarValue, type Event, type ScalarEvent } from 'js-yaml';

/** Offsets of all parts of a YAML or JSON text, by JSON pointer. */
export interface NodeIndex {
  offsetOf(pointer: string, part?: 'key' | 'value'): number;
  /** The offset in the source of the character at `offset` of the decoded text. */
  offsetInside(pointer: string, offset: number): number;
  written(pointer: string): string | undefined;
  commentAfter(pointer: string): { readonly offset: number; readonly text: string } | undefined;
  /** The offsets of the first pair of duplicate keys in a map. */
  readonly duplicate: { readonly name: string; readonly first: number; readonly second: number } | undefined;
}

interface Node {
  readonly key: number;
  readonly value: number;
  readonly scalar?: ScalarEvent;
}

export function indexEvents(events: readonly Event[], source: string): NodeIndex {
  const { nodes, duplicate } = collect(events, source);
  const nodeAt = (pointer: string): Node | undefined => nodes.get(pointer);
  const plainAt = (pointer: string): ScalarEvent | undefined => {
    const scalar = nodeAt(pointer)?.scalar;
    return scalar?.style === SCALAR_STYLE.PLAIN && scalar.valueStart >= 0 ? scalar : undefined;
  };
  return {
    duplicate,
    offsetOf(pointer, part = 'value') {
      for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
        const node = nodes.get(at);
        // For a missing part, the position of the parent's key is used.
        if (node) return part === 'key' || at !== pointer ? node.key : node.value;
        if (at === '') return 0;
      }
    },
    offsetInside(pointer, offset) {
      const node = nodeAt(pointer);
      if (!node?.scalar || node.scalar.valueStart < 0) return node?.value ?? 0;
      return align(source, node.scalar, getScalarValue(source, node.scalar), offset);
    },
    written(pointer) {
      const scalar = plainAt(pointer);
      return scalar && source.slice(scalar.valueStart, scalar.valueEnd);
    },
    commentAfter(pointer) {
      const scalar = plainAt(pointer);
      if (!scalar) return undefined;
      const rest = /^[ \t]+#[^\r\n]*/.exec(source.slice(scalar.valueEnd));
      if (!rest) return undefined;
      const text = rest[0].trimStart();
      return { offset: scalar.valueEnd + rest[0].length - text.length, text };
    },
  };
}

interface Level {
  readonly pointer: string;
  readonly map: boolean;
  /** In a map: the key whose value is next. */
  key: string | undefined;
  keyOffset: number;
  items: number;
}

function collect(
  events: readonly Event[],
  source: string,
): { readonly nodes: ReadonlyMap<string, Node>; readonly duplicate: NodeIndex['duplicate'] } {
  const nodes = new Map<string, Node>();
  const levels: Level[] = [];
  let duplicate: NodeIndex['duplicate'];
  /** The end of a key without a value, as the position of the missing value. */
  let last = 0;
  const place = (offset: number, scalar?: ScalarEvent): string => {
    const parent = levels.at(-1);
    if (!parent) {
      nodes.set('', { key: offset, value: offset, ...(scalar && { scalar }) });
      return '';
    }
    const step = parent.map ? parent.key! : String(parent.items++);
    const pointer = `${parent.pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const key = parent.map ? parent.keyOffset : offset;
    parent.key = undefined;
    const known = nodes.get(pointer);
    if (known) duplicate ??= { name: step, first: known.key, second: key };
    else nodes.set(pointer, { key, value: offset, ...(scalar && { scalar }) });
    return pointer;
  };

  for (const event of events) {
    const parent = levels.at(-1);
    switch (event.type) {
      case EVENT_ID.SCALAR: {
        const offset = event.valueStart < 0 ? last : startOf(event, source);
        if (parent?.map && parent.key === undefined) {
          parent.key = getScalarValue(source, event);
          parent.keyOffset = offset;
        } else place(offset, event);
        last = Math.max(last, event.valueEnd);
        break;
      }
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE: {
        const map = event.type === EVENT_ID.MAPPING;
        // A map used as a key has no pointer. Its contents are found at its position.
        if (parent?.map && parent.key === undefined) [parent.key, parent.keyOffset] = ['{}', event.start];
        levels.push({ pointer: place(event.start), map, key: undefined, keyOffset: event.start, items: 0 });
        last = Math.max(last, event.start);
        break;
      }
      case EVENT_ID.ALIAS:
        if (parent?.map && parent.key === undefined)
          [parent.key, parent.keyOffset] = ['*', event.anchorStart];
        else place(event.anchorStart);
        break;
      case EVENT_ID.POP:
        levels.pop();
        break;
      case EVENT_ID.DOCUMENT:
        break;
    }
  }
  return { nodes, duplicate };
}

/** The opening quote is part of the value. */
function startOf({ valueStart, style }: ScalarEvent, source: string): number {
  const quoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  const before = source[valueStart - 1];
  return quoted && (before === '"' || before === "'") ? valueStart - 1 : valueStart;
}

/** Aligns source and decoded text: an escape, a folded line or indentation may take several source characters. */
function align(source: string, scalar: ScalarEvent, decoded: string, wanted: number): number {
  let at = scalar.valueStart;
  let done = 0;
  const block = scalar.style === SCALAR_STYLE.LITERAL_BLOCK || scalar.style === SCALAR_STYLE.FOLDED_BLOCK;
  const skipSpace = (): void => {
    while (at < scalar.valueEnd && /\s/.test(source[at]!)) at++;
  };
  if (block) skipSpace();
  while (done < wanted && at < scalar.valueEnd) {
    const character = decoded[done]!;
    if (scalar.style === SCALAR_STYLE.DOUBLE_QUOTED && source[at] === '\\') {
      const length = { x: 4, u: 6, U: 10 }[source[at + 1]!] ?? 2;
      at += length;
      done++;
    } else if (scalar.style === SCALAR_STYLE.SINGLE_QUOTED && source.startsWith("''", at)) {
      at += 2;
      done++;
    } else if (source[at] === '\n' || source[at] === '\r') {
      // A line end corresponds to a space or line ends in the decoded text, and is followed by indentation.
      while (done < wanted && /\s/.test(decoded[done]!)) done++;
      skipSpace();
    } else {
      if (source[at] === character) done++;
      at++;
    }
  }
  return at;
}
