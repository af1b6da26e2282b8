import { refuse } from './refusal.ts';
import {
  itemOf,
  limits,
  type BlockNode,
  type CommandParameter,
  type Condition,
  type Operand,
  type Parameters,
  type Path,
  type TemplateNode,
} from './template/template.ts';
import { textOfValue, valueAt, type Member } from './template/value-text.ts';

/** A value at its position: opaque, never part of the command's text. */
export interface BoundValue {
  readonly kind: 'value';
  readonly name: string;
  readonly parameter: CommandParameter;
  /** Null when the value is absent. One text, or any number of them when the value spreads. */
  readonly texts: readonly string[] | null;
  /** A bare array: one word for each item. */
  readonly spreads: boolean;
  readonly at: number;
}
/** The beginning or end of a block. */
export interface BlockEdge {
  readonly kind: 'edge';
  readonly begins: boolean;
}
/** One character of the template's own text, a value, or the edge of a block. */
export type CommandUnit = string | BoundValue | BlockEdge;

export interface Evaluated {
  readonly units: readonly CommandUnit[];
  readonly segments: readonly Segment[];
}
/** Units that are adjacent in the template. */
interface Segment {
  /** Index of its first unit. */
  readonly first: number;
  /** Offset of that in the template. */
  readonly at: number;
}
export type Arguments = Readonly<Record<string, unknown>>;
/** The branch of each block to take regardless of the arguments; the body for blocks that aren't listed. */
export type ForcedArms = ReadonlyMap<number, boolean>;

interface Loop {
  readonly items: readonly unknown[];
  readonly index: number;
  readonly first: boolean;
  readonly last: boolean;
  readonly parameter: CommandParameter;
}

const begin: BlockEdge = { kind: 'edge', begins: true };
const end: BlockEdge = { kind: 'edge', begins: false };

/** Expands blocks and inserts values. Throws TemplateRefusal for values that can't be part of a command. */
export function evaluate(
  nodes: readonly TemplateNode[],
  parameters: Parameters,
  args: Arguments,
  forced?: ForcedArms,
): Evaluated {
  const units: CommandUnit[] = [];
  const segments: Segment[] = [];
  let values = 0;
  let bytes = 0;

  const add = (unit: CommandUnit, at: number): void => {
    segments.push({ first: units.length, at });
    units.push(unit);
  };

  const walk = (list: readonly TemplateNode[], loops: readonly Loop[]): void => {
    for (const node of list) {
      if (units.length > limits.units)
        refuse('render-too-large', `the command grew longer than ${limits.units} characters`, node.at);
      if (node.kind === 'literal') addLiteral(node.text, node.at);
      else if (node.kind === 'value') add(bound(node.path, loops, node.at), node.at);
      else if (node.kind === 'if') {
        const taken = forced ? (forced.get(node.id) ?? true) : holds(node.condition, loops, args);
        walkArm(node, taken ? node.body : node.otherwise, loops);
      } else walkEach(node, loops);
    }
  };

  const addLiteral = (text: string, at: number): void => {
    segments.push({ first: units.length, at });
    for (const character of text) units.push(character);
  };

  const walkArm = (node: BlockNode, arm: readonly TemplateNode[], loops: readonly Loop[]): void => {
    add(begin, node.at);
    walk(arm, loops);
    add(end, node.at);
  };

  const walkEach = (node: BlockNode & { readonly kind: 'each' }, loops: readonly Loop[]): void => {
    const parameter = parameterOf(node.path, parameters);
    const given = valueOf(node.path, loops, args);
    if (given !== undefined && given !== null && !Array.isArray(given))
      refuse('bad-value', `${parameter.name}: expected an array`, node.at);
    const items = forced?.get(node.id) === false ? [] : ((given ?? []) as readonly unknown[]);
    if (items.length === 0) return walkArm(node, node.otherwise, loops);
    items.forEach((_, index) => {
      const loop: Loop = { items, index, first: index === 0, last: index === items.length - 1, parameter };
      walkArm(node, node.body, [...loops, loop]);
    });
  };

  const bound = (path: Path, loops: readonly Loop[], at: number): BoundValue => {
    const parameter = parameterAt(path, loops, parameters);
    const spreads = parameter.type === 'array';
    const texts = textsOf(memberAt(path, loops, args), parameter, at);
    for (const text of texts ?? []) {
      values++;
      bytes += Buffer.byteLength(text);
    }
    if (values > limits.values || bytes > limits.bytes)
      refuse(
        'render-too-large',
        `the values are more than ${limits.values}, or longer than ${limits.bytes} bytes together`,
        at,
      );
    return { kind: 'value', name: parameter.name, parameter, texts, spreads, at };
  };

  walk(nodes, []);
  return { units, segments };
}

/** The offset in the template of the unit at `index`; after the last unit, the offset of that. */
export function offsetOf({ units, segments }: Evaluated, index: number): number {
  const last = Math.min(index, units.length - 1);
  const segment = segments.findLast(({ first }) => first <= last);
  if (!segment) return 0;
  const before = units.slice(segment.first, last).filter((unit) => typeof unit === 'string');
  return segment.at + before.join('').length;
}

function textsOf(member: Member, parameter: CommandParameter, at: number): readonly string[] | null {
  const value = valueAt(member);
  const absent = value === undefined || value === null;
  if (parameter.type !== 'array') return absent ? null : [textOfValue(member, parameter, at)];
  if (absent) return [];
  if (!Array.isArray(value)) refuse('bad-value', `${parameter.name}: expected an array`, at);
  const item = itemOf(parameter);
  return (value as unknown[]).map((_, key) => textOfValue({ holder: value, key }, item, at));
}

function parameterOf(path: Path, parameters: Parameters): CommandParameter {
  const found = path.of === 'parameter' ? parameters.get(path.name) : undefined;
  if (!found) throw new Error('the parser checked that the parameter is declared');
  return found;
}

function parameterAt(path: Path, loops: readonly Loop[], parameters: Parameters): CommandParameter {
  if (path.of === 'parameter') return parameterOf(path, parameters);
  const { parameter } = loops.at(-1 - path.loops)!;
  if (path.what === 'item') return itemOf(parameter);
  return { name: parameter.name, type: path.what === 'index' ? 'integer' : 'boolean' };
}

const valueOf = (path: Path, loops: readonly Loop[], args: Arguments): unknown =>
  valueAt(memberAt(path, loops, args));

function memberAt(path: Path, loops: readonly Loop[], args: Arguments): Member {
  if (path.of === 'parameter') return { holder: args, key: path.name };
  const loop = loops.at(-1 - path.loops)!;
  return path.what === 'item' ? { holder: loop.items, key: loop.index } : { holder: loop, key: path.what };
}

function holds(condition: Condition, loops: readonly Loop[], args: Arguments): boolean {
  if ('not' in condition) return !holds(condition.not, loops, args);
  if ('test' in condition) {
    const value = valueOf(condition.test, loops, args);
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  }
  const [first, second] = condition.equal.map((operand: Operand) =>
    'constant' in operand ? operand.constant : valueOf(operand.path, loops, args),
  );
  return first === second;
}
