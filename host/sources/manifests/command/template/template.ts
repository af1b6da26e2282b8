import type { JsonSchema } from '../../../../api/result.ts';

/** What a command template knows about a parameter. For an array, `enum` applies to its items. */
export interface CommandParameter {
  readonly name: string;
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  /** The allowed values; for an array, of its items. */
  readonly enum?: readonly unknown[];
  /** The JSON Schema of an array's items. */
  readonly items?: JsonSchema;
  /** A value may begin with `-` in a position where an option would be recognized. */
  readonly allowDash?: boolean;
  /** A value may be program text; every run is then confirmed by a person. */
  readonly unsafe?: boolean;
}
export type Parameters = ReadonlyMap<string, CommandParameter>;

/** A parsed template. `at` is an offset into the template. */
export type TemplateNode =
  | { readonly kind: 'literal'; readonly text: string; readonly at: number }
  | { readonly kind: 'value'; readonly path: Path; readonly at: number }
  | (Block & { readonly kind: 'if'; readonly condition: Condition })
  | (Block & { readonly kind: 'each'; readonly path: Path; readonly names: readonly string[] });

interface Block {
  /** Numbered in the order in which they begin. */
  readonly id: number;
  /** The branches of the surrounding blocks, all of which must be taken to reach it. */
  readonly within: readonly Arm[];
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
  readonly at: number;
}
export type BlockNode = Extract<TemplateNode, Block>;

export interface Arm {
  readonly block: number;
  /** True for the body, false for the `{{else}}`. */
  readonly taken: boolean;
}

export type Path =
  | { readonly of: 'parameter'; readonly name: string }
  /** A variable of `{{#each}}`, `loops` levels outside the innermost loop. */
  | { readonly of: 'loop'; readonly what: LoopValue; readonly loops: number };
export type LoopValue = 'item' | 'index' | 'first' | 'last';

export type Condition =
  | { readonly test: Path }
  | { readonly not: Condition }
  | { readonly equal: readonly [Operand, Operand] };
export type Operand = { readonly path: Path } | { readonly constant: unknown };

const plainText = /^[A-Za-z0-9_./:@%+,-]{1,256}$/;

const itemTypes = ['string', 'number', 'integer', 'boolean'] as const;

/** One item of an array. Without a type it may be any text, number or boolean that `enum` allows. */
export function itemOf({
  name,
  enum: allowed,
  items = {},
  allowDash,
  unsafe,
}: CommandParameter): CommandParameter {
  const type = itemTypes.find((known) => known === items['type']);
  const values = allowed ?? (Array.isArray(items['enum']) ? (items['enum'] as unknown[]) : undefined);
  return {
    name,
    ...(type && { type }),
    ...(values && { enum: values }),
    ...(allowDash && { allowDash }),
    ...(unsafe && { unsafe }),
  };
}

/** The allowed values, or those of an array's items. Undefined if any value is allowed. */
export const choicesOf = (parameter: CommandParameter): readonly unknown[] | undefined =>
  (parameter.type === 'array' ? itemOf(parameter) : parameter).enum;

/** Its values are harmless in any position: numbers, booleans, and enums of plain words that aren't options. */
export function isInert(parameter: CommandParameter): boolean {
  const { type, enum: allowed } = parameter.type === 'array' ? itemOf(parameter) : parameter;
  if (type === 'number' || type === 'integer' || type === 'boolean') return true;
  return (
    allowed !== undefined &&
    allowed.length > 0 &&
    allowed.every((value) => plainText.test(String(value)) && !String(value).startsWith('-'))
  );
}

/** Limits of one command. A template beyond them is refused before it costs time or memory. */
export const limits = {
  /** Characters of a template. */
  template: 16_384,
  mustaches: 500,
  /** Characters of one mustache. */
  mustache: 200,
  /** Levels of blocks. */
  depth: 8,
  /** Characters, values and bytes of values that a template may expand to. */
  units: 200_000,
  values: 2_000,
  bytes: 1_000_000,
  /** Bytes of one argument: the system's limit is 128 KiB, including the terminating NUL. */
  argument: 131_071,
} as const;

/** The names of the parameters that a template uses, in values, conditions and loops. */
export function parametersIn(nodes: readonly TemplateNode[]): ReadonlySet<string> {
  const names = new Set<string>();
  const note = (path: Path): void => void (path.of === 'parameter' && names.add(path.name));
  const noteCondition = (condition: Condition): void => {
    if ('test' in condition) note(condition.test);
    else if ('not' in condition) noteCondition(condition.not);
    else for (const operand of condition.equal) if ('path' in operand) note(operand.path);
  };
  const walk = (inner: readonly TemplateNode[]): void => {
    for (const node of inner) {
      if (node.kind === 'literal') continue;
      if (node.kind === 'if') noteCondition(node.condition);
      else note(node.path);
      if (node.kind !== 'value') [node.body, node.otherwise].forEach(walk);
    }
  };
  walk(nodes);
  return names;
}
