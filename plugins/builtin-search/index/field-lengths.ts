import { fields, type Field, type SearchedTool } from './fields.ts';

/** The typical length of each field's text, in characters. */
export type TypicalLengths = ReadonlyMap<Field, number>;

/** Averages are rounded to powers of this, so that adding one tool seldom changes the weights of others. */
const step = 1.1;

/** The average length of each field over the tools that have it, independent of their order. */
export interface FieldLengths {
  add(tool: SearchedTool): void;
  remove(tool: SearchedTool): void;
  /** The same object as long as the rounded averages are the same. */
  typical(): TypicalLengths;
}

export function createFieldLengths(): FieldLengths {
  const sums = fields.map(() => ({ characters: 0, tools: 0 }));
  let typical: TypicalLengths = new Map();
  const count = (tool: SearchedTool, sign: 1 | -1): void => {
    fields.forEach((field, at) => {
      const { length } = field.textOf(tool);
      if (length === 0) return;
      sums[at]!.characters += sign * length;
      sums[at]!.tools += sign;
    });
  };
  return {
    add: (tool) => count(tool, 1),
    remove: (tool) => count(tool, -1),
    typical() {
      const now = sums.map(({ characters, tools }) => (tools === 0 ? 1 : rounded(characters / tools)));
      if (fields.some((field, at) => typical.get(field) !== now[at])) {
        typical = new Map(fields.map((field, at) => [field, now[at]!]));
      }
      return typical;
    },
  };
}

const rounded = (length: number): number => step ** Math.round(Math.log(length) / Math.log(step));
