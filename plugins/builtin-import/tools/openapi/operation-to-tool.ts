import { type JsonSchema, mergeWritten, toJson } from 'pegboard';
import {
  type ManifestParameter,
  membersOf,
  trimmedText,
  type WrittenManifest,
  type WrittenRequest,
} from 'pegboard/kit';
import { describe, firstSentences, plainLine, plainText } from '../foreign-text.ts';
import { toId, uniqueParameters } from '../names.ts';
import type { LeftOutTool, PlannedTool } from '../tool-plan.ts';
import { UnusableOperation, type ApiDocument } from './api-document.ts';
import type { Operation } from './operations.ts';
import { membersOfBody, readBody, readParameters, toFormMember, type RequestPart } from './request-parts.ts';
import type { ApiSecurity, Credentials } from './security.ts';
import type { ApiServers } from './servers.ts';
import { toJsonSchema, TooLarge, type SchemaLimits } from './to-json-schema.ts';

export interface OperationOptions {
  readonly document: ApiDocument;
  readonly servers: ApiServers;
  readonly security: ApiSecurity;
  readonly isPattern: SchemaLimits['isPattern'];
  /** Where the document is from. */
  readonly from: string;
  /** Tags become folders. */
  readonly hasFolders: boolean;
}

/** Depths that are tried, until the schema is small enough for a model to read. */
const depths = [5, 3, 2, 1, 0];
const maxSchemaLength = 14_000;
const maxNodes = 700;
const maxParameters = 100;

/** Throws UnusableOperation, and PEG_USAGE where the document names no server. */
export function operationToTool(found: Operation, options: OperationOptions): PlannedTool {
  const { document, servers, security, from, hasFolders } = options;
  const { id, method, path, item, operation, tags } = found;
  const server = servers.serverOf(item, operation);
  const { parts, request, notTaken } = fit(found, options);
  const reads = method === 'GET' || method === 'HEAD';
  const shown = `${method} ${plainLine(path)}`;
  const summary = plainLine(operation['summary'] ?? item['summary']);
  const [tag] = tags;
  const folder = hasFolders && tag !== undefined ? toId(tag) : '';
  const manifest: WrittenManifest = {
    id,
    name: firstSentences(summary === '' ? shown : summary, 120),
    description: describe(summary, operation['description'] ?? item['description'], 300) || shown,
    ...(tags.length > 0 && { tags: tags.slice(0, 5) }),
    ...argumentsOf(parts),
    http: toRequest(request, { method, server, credentials: security.credentialsOf(operation, server) }),
    ...(reads ? { readOnly: true } : { confirm: true }),
  };
  const more = membersOf(operation['externalDocs'] ?? {})['url'];
  return {
    ...(folder !== '' && { folder }),
    manifest,
    documentation: [
      `\`${shown}\` of ${document.title}, imported from ${plainLine(from)}`,
      plainText(operation['description'], 4_000),
      URL.canParse(trimmedText(more)) ? plainLine(more) : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    notTaken,
  };
}

/** A parameter of the tool. */
interface ToolPart {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** The parts of the request, with `{{name}}` in their places. */
interface RequestTexts {
  readonly path: string;
  readonly joined: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Pick<WrittenRequest, 'json' | 'form' | 'text'>;
}

interface Fitted {
  readonly parts: readonly ToolPart[];
  readonly request: RequestTexts;
  readonly notTaken: readonly LeftOutTool[];
}

/** With the schemas as deep as they can be. */
function fit(found: Operation, options: OperationOptions): Fitted {
  for (const depth of depths) {
    const limits = { depth, isPattern: options.isPattern, nodes: { left: maxNodes } };
    try {
      const fitted = toParts(found, options.document, limits);
      if (toJson(fitted.parts).length <= maxSchemaLength) return fitted;
    } catch (cause) {
      if (!(cause instanceof TooLarge)) throw cause;
    }
  }
  throw new UnusableOperation('its parameters are too many for a tool');
}

function toParts(found: Operation, document: ApiDocument, limits: SchemaLimits): Fitted {
  const nameOf = uniqueParameters();
  const parts: ToolPart[] = [];
  const add = ({ name: wanted, place, required }: RequestPart, schema: JsonSchema): string => {
    const name = nameOf(wanted, place);
    parts.push({ name, required, schema });
    return `{{${name}}}`;
  };
  const read = readParameters(found, document);
  const notTaken = [...read.notTaken];
  const all = read.parts.map((part) => ({
    part,
    text: add(part, convert(part, document, limits)),
  }));
  const of = (place: RequestPart['place'], isJoined = false): readonly (readonly [string, string])[] =>
    all
      .filter(({ part }) => part.place === place && (part.isJoined ?? false) === isJoined)
      .map(({ part, text }) => [part.name, text] as const);
  const inPath = new Map(of('path'));
  const cookies = of('cookie').map(([name, text]) => `${name}=${text}`);
  const body = bodyOf(found, { document, limits, notTaken }, add);
  return {
    parts,
    notTaken,
    request: {
      path: found.path
        .replace(/#.*$/s, '')
        .split(/(\{[^{}]*\})/)
        .map((text, index) => (index % 2 === 1 ? inPath.get(text.slice(1, -1))! : literal(text)))
        .join(''),
      joined: of('query', true),
      query: of('query'),
      headers: [
        ...of('header'),
        ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : []),
        ...body.headers,
      ],
      body: body.body,
    },
  };
}

/** What the parameter's own description says comes before that of its schema. */
function convert(
  { schema, description }: RequestPart,
  document: ApiDocument,
  limits: SchemaLimits,
): JsonSchema {
  const own =
    plainLine(description) === '' ? schema : mergeWritten(document.resolve(schema), { description });
  return toJsonSchema(own, document, limits);
}

/** The text of a path as it is sent: nothing of it is a template. */
const literal = (text: string): string =>
  text.toWellFormed().replaceAll(/[^\w.~!'()*+,;:=@/?&%-]/g, encodeURIComponent);

interface BodyOptions {
  readonly document: ApiDocument;
  readonly limits: SchemaLimits;
  readonly notTaken: LeftOutTool[];
}

function bodyOf(
  found: Operation,
  { document, limits, notTaken }: BodyOptions,
  add: (part: RequestPart, schema: JsonSchema) => string,
): { readonly headers: RequestTexts['headers']; readonly body: RequestTexts['body'] } {
  const body = readBody(found, document, notTaken);
  if (!body) return { headers: [], body: {} };
  const { kind, type, whole, encoding } = body;
  const headers = type === undefined ? [] : ([['Content-Type', type]] as const);
  // Its members are parameters, so that its own level doesn't count.
  const schema = convert(whole, document, { ...limits, depth: limits.depth + 1 });
  const members = membersOfBody(schema, whole.required);
  if (kind === 'text') return { headers, body: { text: add(whole, schema) } };
  if (members) {
    const written = kind === 'form' ? members.map((part) => toFormMember(part, encoding)) : members;
    const texts = written.map((part) => [part.name, add(part, schemaOf(part))] as const);
    return { headers, body: { [kind]: Object.fromEntries(texts) } };
  }
  if (kind === 'form') {
    const isEmpty = Object.keys(schema).every((key) => key === 'type' || key === 'description');
    if (!isEmpty) throw new UnusableOperation('its form has members that the document does not name');
    return { headers: [], body: {} };
  }
  return { headers, body: { json: add(whole, schema) } };
}

/** With what is said of how it is written. */
const schemaOf = ({ schema, description }: RequestPart): JsonSchema =>
  description === '' ? (schema as JsonSchema) : { ...(schema as JsonSchema), description };

function toRequest(
  { path, joined, query, headers, body }: RequestTexts,
  {
    method,
    server,
    credentials,
  }: { readonly method: string; readonly server: string; readonly credentials: Credentials },
): WrittenRequest {
  const search = joined.map(([name, text]) => `${encodeURIComponent(name)}=${text}`).join('&');
  const url = `${server}${path}${search === '' ? '' : `${path.includes('?') ? '&' : '?'}${search}`}`;
  const allQuery = [...query, ...credentials.query];
  const own = Object.fromEntries(headers);
  const allHeaders = credentials.headers.map(([name, text]): [string, string] =>
    name === 'Cookie' && own['Cookie'] !== undefined ? [name, `${text}; ${own['Cookie']}`] : [name, text],
  );
  return {
    ...(method !== 'GET' && { method: method as NonNullable<WrittenRequest['method']> }),
    url,
    ...(allQuery.length > 0 && { query: Object.fromEntries(allQuery) }),
    ...(allHeaders.length + headers.length > 0 && { headers: { ...own, ...Object.fromEntries(allHeaders) } }),
    ...body,
  };
}

const simple = new Set(['type', 'description', 'enum', 'pattern', 'items', 'minimum', 'maximum']);

/** As `parameters`, which are easier to read, where they can say all of it; else as a whole JSON Schema. */
function argumentsOf(parts: readonly ToolPart[]): Pick<WrittenManifest, 'parameters' | 'inputSchema'> {
  if (parts.length === 0) return {};
  const isSimple = ({ schema }: ToolPart): boolean =>
    typeof schema['type'] === 'string' &&
    schema['type'] !== 'null' &&
    !(schema['type'] === 'array' && schema['enum'] !== undefined) &&
    Object.keys(schema).every((key) => simple.has(key));
  if (parts.length <= maxParameters && parts.every(isSimple))
    return {
      parameters: parts.map(
        ({ name, required, schema }) =>
          ({ name, ...schema, ...(required && { required }) }) as unknown as ManifestParameter,
      ),
    };
  const required = parts.filter((part) => part.required).map(({ name }) => name);
  return {
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parts.map(({ name, schema }) => [name, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
  };
}
