import type { JsonObject, JsonSchema } from '../../../api/result.ts';
import type { ToolAnnotations } from '../../../api/tool.ts';
import { findHidden } from '../../../core/foreign/hidden-characters.ts';
import { messageOf } from '../../../core/errors.ts';
import { schemaLimits, shapeProblem } from '../../../core/documents/schema.ts';
import { canonicalJson } from '../../../tools/fingerprint.ts';
import { toHashedWireName } from '../../../tools/names.ts';
import { headerProblem } from '../transport/http/param-headers.ts';
import { isObject } from '../transport/rpc-message.ts';
import { tool as fitTool } from '../protocol/fit.ts';
import { uncheckableReason, uncompilableReason } from './schema-risk.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';

/** A checked tool of a server, on which the rest of Pegboard can rely. */
export interface ListedTool {
  /** The server's own name if it is valid, else a name derived from it. */
  readonly name: string;
  /** The server's own name, which calls must use. */
  readonly ownName: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly JsonObject[];
  readonly execution?: JsonObject;
  readonly meta?: JsonObject;
  /** Exactly as the server sent it. This is what is pinned and approved. */
  readonly raw: JsonObject;
  /** False when arguments can't be checked against its schema here; the server checks them anyway. */
  readonly checkable: boolean;
  /** Warnings about a tool that can be used. */
  readonly warnings: readonly string[];
}

/** What MCP defines of a tool. */
type FittingTool = { readonly inputSchema: JsonSchema; readonly _meta?: JsonObject } & Partial<
  Pick<ListedTool, 'title' | 'description' | 'outputSchema' | 'annotations' | 'icons' | 'execution'>
>;

const usableName = /^[A-Za-z0-9_.\-/:]{1,128}$/;
/** Maximum characters of a server's own name for a tool. */
const maxNameLength = 1_024;
/** Maximum characters of a definition's JSON. */
const maxDefinitionLength = 4 * schemaLimits.characters;

/** The tool, or the reason why it can't be used. Never throws, whatever the server sent. */
export function checkListedTool(value: unknown, withHeaders: boolean): ListedTool | string {
  if (!isObject(value)) return 'it is not an object';
  const { name } = value;
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (name.length > maxNameLength)
    return `its name has ${name.length} characters, and may have ${maxNameLength}`;
  if (!isObject(value['inputSchema']) || value['inputSchema']['type'] !== 'object') {
    return 'its inputSchema is not an object schema: its root must have "type": "object"';
  }
  const oversize = oversizeOf(value);
  if (oversize !== undefined) return `its definition ${oversize}`;
  const header = withHeaders ? headerProblem(value['inputSchema']) : undefined;
  if (header !== undefined) return header;

  const warnings: string[] = [];
  const unchecked = shapeProblem(value['inputSchema']) ?? uncheckableReason(value['inputSchema']);
  if (unchecked !== undefined) warnings.push(`its arguments are left to the server to check: ${unchecked}`);
  const output = isObject(value['outputSchema']) ? uncompilableReason(value['outputSchema']) : undefined;
  if (output !== undefined) warnings.push(`its outputSchema is left out: ${output}`);
  const hidden = findHiddenText(value);
  if (hidden !== undefined) warnings.push(`hidden characters were removed from ${hidden}`);
  const { title, description, inputSchema, outputSchema, annotations, icons, execution, _meta } = fitTool(
    value,
    '',
    (path) => warnings.push(`its ${path} is left out: it is not as MCP defines it`),
  ) as FittingTool;

  const isUsable = usableName.test(name);
  return {
    name: isUsable ? name : toHashedWireName(name),
    ownName: name,
    ...(title !== undefined ? { title: visibleText(title) } : !isUsable && { title: visibleText(name) }),
    description: visibleText(description ?? ''),
    inputSchema: visibleSchema(inputSchema),
    ...(outputSchema && output === undefined && { outputSchema: visibleSchema(outputSchema) }),
    ...(annotations && { annotations: toAnnotations(annotations) }),
    ...(icons && { icons }),
    ...(execution && { execution }),
    ...(_meta && { meta: _meta }),
    raw: value,
    checkable: unchecked === undefined,
    warnings,
  };
}

/** Which part of the definition exceeds a limit. */
function oversizeOf(value: JsonObject): string | undefined {
  try {
    const has = canonicalJson(value).length;
    return has > maxDefinitionLength
      ? `has ${has} characters, and may have ${maxDefinitionLength}`
      : undefined;
  } catch (cause) {
    return `is ${messageOf(cause)}`;
  }
}

/** Only what MCP defines. */
function toAnnotations(annotations: ToolAnnotations): ToolAnnotations {
  const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
  const { title } = annotations;
  return {
    ...(title !== undefined && { title: visibleText(title) }),
    ...Object.fromEntries(
      hints.filter((hint) => annotations[hint] !== undefined).map((hint) => [hint, annotations[hint]]),
    ),
  };
}

/** "the description: U+200B (invisible)", for the first text with hidden characters in the definition. */
function findHiddenText(value: JsonObject): string | undefined {
  for (const [key, text] of textsOf(value, 'the definition')) {
    const found = findHidden(text);
    if (found) return `${key}: ${found.name}`;
  }
  return undefined;
}

function* textsOf(value: unknown, key: string): Iterable<readonly [string, string]> {
  if (typeof value === 'string') yield [key, value];
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item, key);
  else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      yield ['a property name', name];
      yield* textsOf(item, name);
    }
  }
}

/** The same schema object when nothing is hidden in it; otherwise a copy with cleaned descriptions and titles. */
function visibleSchema(schema: JsonSchema): JsonSchema {
  for (const [, text] of textsOf(schema, '')) if (findHidden(text)) return cleaned(schema) as JsonSchema;
  return schema;
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'string' && /^(description|title|\$comment)$/.test(key)
        ? visibleText(item)
        : cleaned(item),
    ]),
  );
}
