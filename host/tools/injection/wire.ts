import type { WireTool } from '../../api/model.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { toJson } from '../../core/documents/written-numbers.ts';

/** An estimate: four characters are about one token. */
const charactersPerToken = 4;
const maxExamples = 1;

const written = new WeakMap<RegisteredTool, WireTool>();
const counted = new WeakMap<WireTool, number>();

/** The tool with everything that a model needs to call it. Cached: a tool never changes. */
export function toWire(tool: RegisteredTool): WireTool {
  let wire = written.get(tool);
  if (!wire) {
    wire = writeTool(tool);
    written.set(tool, wire);
  }
  return wire;
}

type Described = Pick<RegisteredTool, 'wireName' | 'description' | 'parameters' | 'examples'>;

/** The same of a tool that isn't registered. */
export const writeTool = (tool: Described): WireTool => ({
  name: tool.wireName,
  description: describe(tool),
  parameters: tool.parameters,
});

/** A tool as chat completions take it. */
export const toFunction = ({ name, description, parameters }: WireTool): object => ({
  type: 'function',
  function: { name, description, parameters },
});

/** ⌊JSON length / 4⌋ of the tool as it is sent. */
export function tokensOf(wire: WireTool): number {
  let tokens = counted.get(wire);
  if (tokens === undefined) {
    tokens = tokensIn(toJson(toFunction(wire)));
    counted.set(wire, tokens);
  }
  return tokens;
}

export const tokensIn = (text: string): number => Math.floor(text.length / charactersPerToken);

function describe({ description, examples = [] }: Described): string {
  // That a call needs no arguments is in its schema.
  const telling = examples.filter(({ input }) => Object.keys(input).length > 0);
  const lines = telling.slice(0, maxExamples).map(({ input }) => `Example: ${toJson(input)}`);
  return [description, ...lines].join('\n');
}
