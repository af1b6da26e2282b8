import { keepWritten } from '../../../core/documents/written-numbers.ts';
import { isObject } from '../transport/rpc-message.ts';

/**
 * The part of a value that is as MCP defines it: the same value if all of it is, otherwise a copy without the optional
 * members that aren't. Undefined: a required member isn't. Clients refuse a whole list because of one such member.
 */
export type Fit = (value: unknown, path: string, leave: Leave) => unknown;
/** Gets the path of each part that is left out: "icons[0].sizes". */
export type Leave = (path: string) => void;
/** The same for the parts of several things. `what`: "the prompt greet". */
export type ReportLeftOut = (what: string, path: string) => void;

const only =
  (test: (value: unknown) => boolean): Fit =>
  (value) =>
    test(value) ? value : undefined;
/** What doesn't fit stays as it is, for the receiver to judge. */
const orAsIs =
  (fit: Fit): Fit =>
  (value, path, leave) =>
    fit(value, path, leave) ?? value;

type Members = Readonly<Record<string, Fit>>;

function object(optional: Members, required: Members = {}): Fit {
  const members = Object.entries({ ...required, ...optional });
  return (value, path, leave) => {
    if (!isObject(value)) return undefined;
    let copy: Record<string, unknown> | undefined;
    for (const [key, fit] of members) {
      const isRequired = Object.hasOwn(required, key);
      if (!isRequired && !Object.hasOwn(value, key)) continue;
      const at = path === '' ? key : `${path}.${key}`;
      const fitting = fit(value[key], at, leave);
      if (fitting === undefined && isRequired) return undefined;
      if (fitting === value[key]) continue;
      copy ??= { ...value };
      if (fitting === undefined) leave(at);
      if (fitting === undefined) delete copy[key];
      else copy[key] = fitting;
    }
    return copy ? keepWritten(value, copy) : value;
  };
}

/** A list without the items that don't fit. */
function listOf(fit: Fit): Fit {
  return (value, path, leave) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.flatMap((item: unknown, index) => {
      const fitting = fit(item, `${path}[${index}]`, leave);
      if (fitting === undefined) leave(`${path}[${index}]`);
      return fitting === undefined ? [] : [fitting];
    });
    const isSame = items.length === value.length && items.every((item, index) => item === value[index]);
    return isSame ? value : items;
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);
const isListOf =
  (test: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(test);
const isDateTime = (value: unknown): boolean => {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(
      isText(value) ? value : '',
    ) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === day;
};

const anything: Fit = (value) => value;
const text = only(isText);
const flag = only((value) => typeof value === 'boolean');
const map = only(isObject);
const maps = only((value) => isObject(value) && Object.values(value).every(isObject));

const icons = listOf(
  object(
    { mimeType: text, sizes: only(isListOf(isText)), theme: only(isOneOf('light', 'dark')) },
    { src: text },
  ),
);
const annotations = object({
  audience: only(isListOf(isOneOf('user', 'assistant'))),
  priority: only((value) => typeof value === 'number' && value >= 0 && value <= 1),
  lastModified: only(isDateTime),
});
const shown = { title: text, description: text, icons };
const described = { ...shown, mimeType: text, annotations, _meta: map };

export const resource = object(
  { ...described, size: only((value) => typeof value === 'number') },
  { uri: text, name: text },
);
export const resourceTemplate = object(described, { uriTemplate: text, name: text });
const promptArgument = object({ title: text, description: text, required: flag }, { name: text });
export const prompt = object({ ...shown, arguments: listOf(promptArgument), _meta: map }, { name: text });

/** Schemas by name. A name stays, because a schema may require it, and then admits anything. */
const schemas: Fit = (value, path, leave) => {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(([name, schema]) => {
    if (isObject(schema)) return [name, schema] as const;
    // Both mean the same, and SDK v1 only takes objects.
    if (typeof schema === 'boolean') return [name, schema ? {} : { not: {} }] as const;
    leave(`${path}.${name}`);
    return [name, {}] as const;
  });
  return Object.values(value).every(isObject) ? value : Object.fromEntries(entries);
};
const objectSchema = object(
  { $schema: text, properties: schemas, required: only(isListOf(isText)) },
  { type: only(isOneOf('object')) },
);
export const tool = object(
  {
    ...shown,
    annotations: object({
      title: text,
      readOnlyHint: flag,
      destructiveHint: flag,
      idempotentHint: flag,
      openWorldHint: flag,
    }),
    outputSchema: objectSchema,
    execution: object({ taskSupport: only(isOneOf('required', 'optional', 'forbidden')) }),
    _meta: map,
  },
  { name: text, inputSchema: objectSchema },
);

const implementation = object({ ...shown, websiteUrl: text }, { name: text, version: text });
const resultMeta = object({
  progressToken: only((value) => isText(value) || Number.isSafeInteger(value)),
  'io.modelcontextprotocol/related-task': object({}, { taskId: text }),
  'io.modelcontextprotocol/serverInfo': implementation,
});
const resourceContents = object({ mimeType: text, _meta: map }, { uri: text });

const blocks: Members = {
  text: object({ annotations, _meta: map }, { text }),
  image: object({ annotations, _meta: map }, { data: text, mimeType: text }),
  audio: object({ annotations, _meta: map }, { data: text, mimeType: text }),
  resource: object({ annotations, _meta: map }, { resource: resourceContents }),
  resource_link: resource,
};
/** A block of MCP's content. */
export const content: Fit = (value, path, leave) => {
  const type = isObject(value) ? value['type'] : undefined;
  return isText(type) && Object.hasOwn(blocks, type) ? blocks[type]!(value, path, leave) : undefined;
};

const list = (fit: Fit): Fit => orAsIs(listOf(orAsIs(fit)));
const call = { content: list(content), isError: flag, _meta: resultMeta };
/** The result of a call in 2026-07-28, whose structured content may be anything, and before, when it was an object. */
export const fitCall = object(call);
export const fitLegacyCall = object({
  ...call,
  structuredContent: only((value) => value !== null),
});
const message = object({}, { role: anything, content: orAsIs(content) });
/** Results of requests, by method. */
export const results: Members = {
  'prompts/get': object({ description: text, _meta: resultMeta }, { messages: list(message) }),
  'resources/read': object({ _meta: resultMeta }, { contents: list(resourceContents) }),
  'completion/complete': object(
    { _meta: resultMeta },
    { completion: object({ total: only(Number.isSafeInteger), hasMore: flag }, { values: anything }) },
  ),
};

const lists = object({ listChanged: flag });
/** The answer to a handshake, in either protocol. */
export const handshake = object(
  { instructions: text, serverInfo: implementation, _meta: resultMeta },
  {
    capabilities: object({
      experimental: maps,
      extensions: maps,
      logging: map,
      completions: map,
      tasks: object({ list: map, cancel: map, requests: object({ tools: object({ call: map }) }) }),
      prompts: lists,
      tools: lists,
      resources: object({ subscribe: flag, listChanged: flag }),
    }),
  },
);
