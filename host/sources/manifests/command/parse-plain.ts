import type { Parameters, TemplateNode } from './template.ts';

/** `{{name}}` and nothing more: no strip marks, no third brace, no path. */
const plainMustache = /\{\{[ \t]*([A-Za-z_][\w-]*)[ \t]*\}\}(?!\})/y;
/** These mean something to Handlebars even when a parameter has the name. */
const keywords = new Set(['else', 'true', 'false', 'null', 'undefined', 'this', 'as']);

/** Reads what has only literals and `{{name}}` exactly as Handlebars would; undefined for everything else, right or wrong. */
export function parsePlain(template: string, parameters: Parameters): TemplateNode[] | undefined {
  const nodes: TemplateNode[] = [];
  let from = 0;
  for (;;) {
    const at = template.indexOf('{{', from);
    const literal = at < 0 ? template.slice(from) : template.slice(from, at);
    if (literal !== '') nodes.push({ kind: 'literal', text: literal, at: from });
    if (at < 0) return nodes;
    if (literal.endsWith('\\')) return undefined; // Handlebars reads \{{ as an escape.
    plainMustache.lastIndex = at;
    const name = plainMustache.exec(template)?.[1];
    if (name === undefined || keywords.has(name)) return undefined;
    const parameter = parameters.get(name);
    if (parameter === undefined || parameter.type === 'object') return undefined;
    nodes.push({ kind: 'value', path: { of: 'parameter', name }, at });
    from = plainMustache.lastIndex;
  }
}
