import type { WireTool } from '../../../api/model.ts';
import type { JsonSchema } from '../../../api/result.ts';

/** A call as it stands in a text. */
export interface FoundCall {
  readonly name: string;
  /** JSON; of a call that was cut off the rest of the text as it is, which is no JSON, so that nobody runs it. */
  readonly arguments: string;
  /** Why it must not run: something that the model said would be left out. Written for the model. */
  readonly problem?: string;
}

/** What stands at one place of a text. */
export interface ParsedCalls {
  readonly calls: readonly FoundCall[];
  /** Index after the markup. */
  readonly end: number;
}

/** One way in which models write calls. */
export interface CallFormat {
  /** Where it can begin. No groups. */
  readonly opening: RegExp;
  /** Nothing else looks like this, so that names of tools which don't exist count too. */
  readonly unmistakable: boolean;
  /** Reads at `at`, where `opening` matches; undefined when this is no call after all. */
  read(text: string, at: number, tools: Tools): ParsedCalls | undefined;
}

/** The tools on offer, as the formats need them. */
export interface Tools {
  has(name: string): boolean;
  /** Undefined: nothing is known of this tool's parameters, or it isn't known at all. */
  properties(name: string): { readonly [name: string]: JsonSchema } | undefined;
  /** The model said that its answer ends here. False: what is missing at the end may be anything. */
  readonly ended: boolean;
}

/** `known`: any tool that may be called, by any form of its name, also one that isn't in sight. */
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

/** Without "functions." and the like in front. */
export const bareName = (name: string): string =>
  name.trim().replace(/^(?:functions?|default_api|tools|api)\.(?=[\w.-]+$)/, '');

export const skipSpace = (text: string, at: number): number => {
  let index = at;
  while (index < text.length && /\s/.test(text[index]!)) index++;
  return index;
};

/** Long answers are matched at very many places. */
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
