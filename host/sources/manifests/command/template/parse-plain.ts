import {
  limits,
  type Arm,
  type LoopValue,
  type Parameters,
  type Path,
  type TemplateNode,
} from './template.ts';

/** `{{name}}`, `{{#if name}}`, `{{/if}}` and nothing else: no whitespace control, third brace, path or helper. */
const tag = /\{\{(?:#(if|unless|each)[ \t]+|(\/)|[ \t]*)(@?[A-Za-z_][\w-]*)[ \t]*\}\}(?!\})/y;
/** Handlebars gives these a meaning even if a parameter has the same name. */
const keywords = new Set(['else', 'true', 'false', 'null', 'undefined', 'this', 'as']);
const loopData: { readonly [name: string]: LoopValue } = {
  this: 'item',
  '@index': 'index',
  '@first': 'first',
  '@last': 'last',
};

/** An open block. */
interface OpenBlock {
  readonly kind: string;
  readonly id: number;
  readonly otherwise: TemplateNode[];
  readonly outside: Surroundings;
}
/** Where new nodes are added, and the surrounding blocks. */
interface Surroundings {
  readonly nodes: TemplateNode[];
  readonly within: readonly Arm[];
  readonly loops: number;
  readonly block?: OpenBlock;
}

/**
 * Reads literals, `{{name}}`, and `if`, `unless` and `each` of a name exactly as Handlebars would; undefined for
 * everything else, right or wrong.
 */
export function parsePlain(template: string, parameters: Parameters): readonly TemplateNode[] | undefined {
  const root: Surroundings = { nodes: [], within: [], loops: 0 };
  let around = root;
  let blocks = 0;
  let from = 0;
  for (;;) {
    const at = template.indexOf('{{', from);
    const text = at < 0 ? template.slice(from) : template.slice(from, at);
    if (text !== '') around.nodes.push({ kind: 'literal', text, at: from });
    if (at < 0) return around === root ? root.nodes : undefined;
    if (text.endsWith('\\')) return undefined; // Handlebars reads \{{ as an escape.
    tag.lastIndex = at;
    const found = tag.exec(template);
    if (!found) return undefined;
    from = tag.lastIndex;
    const [, opens, closes, name = ''] = found;
    const isBlock = opens !== undefined || closes !== undefined || name === 'else';
    if (isBlock && isAloneOnLine(text, template, from)) return undefined;
    if (opens !== undefined) {
      const path = pathTo(name, around, parameters);
      if (!path || around.within.length >= limits.depth) return undefined;
      const inside = begin(opens, path, around, { id: blocks++, at, parameters });
      if (!inside) return undefined;
      around = inside;
    } else if (closes !== undefined) {
      if (around.block?.kind !== name) return undefined;
      around = around.block.outside;
    } else if (name === 'else') {
      const { block } = around;
      if (!block || around.nodes === block.otherwise) return undefined;
      around = armOf(block, false, block.otherwise);
    } else {
      const path = pathTo(name, around, parameters);
      if (!path || (path.of === 'parameter' && parameters.get(path.name)?.type === 'object'))
        return undefined;
      around.nodes.push({ kind: 'value', path, at });
    }
  }
}

/** Whether a block tag is alone on its line. Handlebars removes such lines, so these templates are left to it. */
function isAloneOnLine(before: string, template: string, end: number): boolean {
  if (!template.includes('\n')) return false;
  return /\n\s*$/.test(before) || /^\s*\n/.test(template.slice(end));
}

function pathTo(name: string, { loops }: Surroundings, parameters: Parameters): Path | undefined {
  const what = loopData[name];
  if (what !== undefined) return loops > 0 ? { of: 'loop', what, loops: 0 } : undefined;
  return parameters.has(name) && !keywords.has(name) ? { of: 'parameter', name } : undefined;
}

/** Adds a block; what follows goes into its body. */
function begin(
  kind: string,
  path: Path,
  outside: Surroundings,
  { id, at, parameters }: { readonly id: number; readonly at: number; readonly parameters: Parameters },
): Surroundings | undefined {
  const body: TemplateNode[] = [];
  const block: OpenBlock = { kind, id, otherwise: [], outside };
  const common = { id, within: outside.within, at, body, otherwise: block.otherwise };
  if (kind === 'each') {
    if (path.of !== 'parameter' || parameters.get(path.name)?.type !== 'array') return undefined;
    outside.nodes.push({ ...common, kind, path, names: [] });
  } else {
    const test = { test: path };
    outside.nodes.push({ ...common, kind: 'if', condition: kind === 'if' ? test : { not: test } });
  }
  return armOf(block, true, body);
}

function armOf(block: OpenBlock, taken: boolean, nodes: TemplateNode[]): Surroundings {
  const { kind, id, outside } = block;
  return {
    nodes,
    within: [...outside.within, { block: id, taken }],
    loops: outside.loops + (taken && kind === 'each' ? 1 : 0),
    block,
  };
}
