import { pegboard } from '../../core/own-command.ts';
import type { JsonSchema } from '../../api/result.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { exactText } from '../../core/foreign/shown-text.ts';
import { oneLine, withoutEscapes } from '../terminal/safe.ts';
import { renderTable } from '../terminal/table.ts';
import type { Surface } from '../terminal/terminal.ts';
import { wrap } from '../terminal/width.ts';
import { shortPath } from '../../status/diagnostic-json.ts';
import { propertiesOf, requiredOf, typesOf } from '../values.ts';
import { quoteWord } from '../../core/text/shell-words.ts';
import { memberJson, toJson } from '../../core/documents/written-numbers.ts';

/** Shows everything that a person needs to know before calling a tool. */
export function showTool(out: Surface, tool: RegisteredTool, home: string): void {
  const { style } = out;
  out.line(`${style.title(tool.id)}${tool.title === undefined ? '' : `  ${oneLine(tool.title)}`}`);
  for (const line of wrap(withoutEscapes(tool.description), out.proseWidth)) out.line(line);
  out.line();
  showParameters(out, tool.parameters);
  const facts: [string, string][] = [
    ['name for models', tool.wireName],
    ['icon', tool.icon === undefined ? '' : oneLine(tool.icon)],
    ['runs', tool.command === undefined ? '' : exactText(tool.command)],
    ['source', `${tool.source.id} (${tool.source.kind})`],
    ['written in', tool.origin === undefined ? '' : shortPath(tool.origin, home)],
    ['category', tool.category ?? ''],
    ['tags', tool.tags?.join(', ') ?? ''],
    ['also called', tool.aliases?.join(', ') ?? ''],
    ['asks before it runs', tool.confirm ? 'yes' : 'no'],
    ['sandbox', tool.sandbox?.level ?? ''],
    ['timeout', `${tool.timeout ?? 60} s`],
    ['hints', hintsOf(tool)],
  ];
  const shown = facts.filter(([, value]) => value !== '');
  const columns = [
    { title: '', paint: style.quiet },
    { title: '', shrinks: true, wraps: true },
  ];
  for (const line of renderTable(out, columns, shown)) out.line(line);
  for (const example of tool.examples ?? []) {
    out.line(
      `${style.quiet('example')}  ${pegboard} call ${tool.id} --args ${quoteWord(toJson(example.input))}`,
    );
  }
}

export function showParameters(out: Surface, schema: JsonSchema, indent = 0): void {
  const required = requiredOf(schema);
  const rows = Object.entries(propertiesOf(schema)).map(([name, property]) => [
    required.includes(name) ? `${oneLine(name)}*` : oneLine(name),
    typeText(property, schema),
    typeof property['description'] === 'string' ? oneLine(property['description']) : '',
  ]);
  const { style } = out;
  const columns = [
    { title: 'PARAMETER', paint: style.name },
    { title: 'TYPE', shrinks: true },
    { title: 'DESCRIPTION', shrinks: true, wraps: true },
  ];
  if (rows.length === 0) out.line(`${' '.repeat(indent)}${style.quiet('takes no arguments')}`);
  else for (const line of renderTable(out, columns, rows, { indent })) out.line(line);
  out.line();
}

/** "staging | production", "integer = 3", "array of string". */
function typeText(property: JsonSchema, root: JsonSchema): string {
  const values = property['enum'];
  const items = property['items'] as JsonSchema | undefined;
  const type = Array.isArray(values)
    ? values
        .map((value: unknown, at) => (typeof value === 'string' ? value : memberJson(values, at)))
        .join(' | ')
    : typesOf(property, root).join(' or ') || 'any';
  const of = type === 'array' && items ? ` of ${typesOf(items, root).join(' or ') || 'any'}` : '';
  const preset = property['default'] === undefined ? '' : ` = ${memberJson(property, 'default')}`;
  return oneLine(`${type}${of}${preset}`);
}

function hintsOf({ annotations = {} }: RegisteredTool): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return [
    readOnlyHint && 'only reads',
    destructiveHint && 'may destroy',
    idempotentHint && 'may be repeated',
    openWorldHint && 'reaches outside',
  ]
    .filter(Boolean)
    .join(', ');
}
