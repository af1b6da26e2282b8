import type { WireTool } from '../../../api/model.ts';
import type { JsonSchema } from '../../../api/result.ts';

/** A call found in a text. */
export interface FoundCall {
  readonly name: string;
  /** JSON. For a truncated call the rest of the text, which is not valid JSON, so that it can't run. */
  readonly arguments: string;
  /** Why it must not run, such as content that would be lost. Written for the model. */
  readonly problem?: string;
}

/** The calls at one position of a text. */
export interface ParsedCalls {
  readonly calls: readonly FoundCall[];
  /** Index after the markup. */
  readonly end: number;
}

/** One of the formats in which models write calls. */
export interface CallFormat {
  /** Where it can begin. No groups. */
  readonly opening: RegExp;
  /** Nothing else looks like this, so that calls of unknown tools count too. */
  readonly unmistakable: boolean;
  /** Reads at `at`, where `opening` matches; undefined when it isn't a call. */
  read(text: string, at: number, tools: Tools): ParsedCalls | undefined;
}

/** The offered tools, as the formats need them. */
export interface Tools {
  has(name: string): boolean;
  /** Undefined for an unknown tool, or one without parameters in its schema. */
  properties(name: string): { readonly [name: string]: JsonSchema } | undefined;
  /** The model ended its reply itself. False: the reply was cut off, and anything may be missing. */
  readonly ended: boolean;
}

/** `known`: finds any callable tool by any form of its name, also one that isn't listed. */
export function toTools(
  offered: readonly WireTool[],
  known: (name: string) => WireTool | undefined = () => undefined,
  ended = false,
): Tools {
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  const find = (name: string): WireTool | undefined =>
    byName.get(name) ?? known(name) ?? byName.get(name.replaceAll('.', '__'));
  return {
    ended,
    has: (name) => find(name) !== undefined,
    properties: (name) => {
      const properties = find(name)?.parameters['properties'];
      return properties === undefined || Object.keys(properties as object).length === 0
        ? undefined
        : (properties as { readonly [name: string]: JsonSchema });
    },
  };
}

/** Removes prefixes such as "functions.". */
export const bareName = (name: string): string =>
  name.trim().replace(/^(?:functions?|default_api|tools|api)\.(?=[\w.-]+$)/, '');

export const skipSpace = (text: string, at: number): number => {
  let index = at;
  while (index < text.length && /\s/.test(text[index]!)) index++;
  return index;
};

/** Cached, since long replies are matched at many positions. */
const stickies = new WeakMap<RegExp, RegExp>();

/** The match of `pattern` exactly at `at`. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  let sticky = stickies.get(pattern);
  if (!sticky) {
    sticky = new RegExp(pattern.source, `${pattern.flags.replaceAll(/[gy]/g, '')}y`);
    stickies.set(pattern, sticky);
  }
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}
