import type { JsonSchema } from 'pegboard';
import { isHeaderName, isReservedHeader, listOf, type Members, membersOf, trimmedText } from 'pegboard/kit';
import { plainLine } from '../foreign-text.ts';
import type { LeftOutTool } from '../tool-plan.ts';
import { UnusableOperation, type ApiDocument } from './api-document.ts';
import type { Operation } from './operations.ts';
import { merged, typeOf } from './to-json-schema.ts';

/** A value that a request takes, and where it goes. */
export interface RequestPart {
  /** As the API calls it. */
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie' | 'body';
  readonly required: boolean;
  readonly description: unknown;
  /** As the document has it. */
  readonly schema: unknown;
  /** In the query, a list is joined by commas. */
  readonly isJoined?: boolean;
}

/** Parameters of a request, and those that it can't have. */
export interface RequestParameters {
  readonly parts: readonly RequestPart[];
  readonly notTaken: readonly LeftOutTool[];
}

/** The body of a request. */
export interface RequestBodyParts {
  readonly kind: 'json' | 'form' | 'text';
  /** The header Content-Type, where it isn't the usual one. */
  readonly type?: string;
  readonly whole: RequestPart;
  /** How the members of a form are written, by name. */
  readonly encoding: Members;
}

/** Headers that other parts of the document describe, or that the connection sets. */
const ignored = /^(?:accept|content-type|authorization|user-agent)$/i;

/** Parameters of the path and the operation; those of the operation come first. Throws UnusableOperation. */
export function readParameters(
  { item, operation, path }: Operation,
  document: ApiDocument,
): RequestParameters {
  const { resolve } = document;
  const notTaken: LeftOutTool[] = [];
  const written = [...listOf(operation['parameters']), ...listOf(item['parameters'])].map(resolve);
  const found = new Map<string, Members>();
  for (const parameter of written) {
    const key = `${trimmedText(parameter['in'])} ${trimmedText(parameter['name'])}`;
    if (!found.has(key)) found.set(key, parameter);
  }
  const parts = [...found.values()].flatMap((parameter) => toPart(parameter, document, notTaken));
  const named = new Set(parts.filter(({ place }) => place === 'path').map(({ name }) => name));
  // A name in the path that nothing describes.
  const bare = namesIn(path).filter((name) => !named.has(name));
  const all = [
    ...parts.filter(({ name, place }) => place !== 'path' || namesIn(path).includes(name)),
    ...bare.map((name): RequestPart => ({
      name,
      place: 'path',
      required: true,
      description: '',
      schema: { type: 'string' },
    })),
  ];
  return { parts: all, notTaken };
}

const namesIn = (path: string): readonly string[] => [
  ...new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)),
];

function toPart(parameter: Members, document: ApiDocument, notTaken: LeftOutTool[]): readonly RequestPart[] {
  const name = trimmedText(parameter['name']);
  const place = trimmedText(parameter['in']);
  const required = parameter['required'] === true || place === 'path';
  const [media] = Object.values(membersOf(parameter['content']));
  const schema = parameter['schema'] ?? membersOf(media)['schema'] ?? { type: 'string' };
  const { description } = parameter;
  const usable = (more: Partial<RequestPart> = {}): readonly RequestPart[] => [
    { name, place: place as RequestPart['place'], required, description, schema, ...more },
  ];
  const unusable = (why: string): readonly RequestPart[] => {
    if (required) throw new UnusableOperation(`its parameter ${plainLine(name)} ${why}`);
    notTaken.push({ what: `the parameter ${plainLine(name)}`, why: `it ${why}` });
    return [];
  };
  if (parameter['allowReserved'] === true)
    notTaken.push({
      what: `allowReserved of the parameter ${plainLine(name)}`,
      why: 'characters such as / and ? are encoded in its value',
    });
  const style = trimmedText(parameter['style']);
  const whole = merged(document.resolve(schema), document);
  const kind = typeOf(whole);
  const isFlat = kind !== 'object' && (media === undefined || kind !== 'array');
  switch (place) {
    case 'path':
      if (style !== '' && style !== 'simple') return unusable(`has the style ${plainLine(style)}`);
      return isFlat ? usable() : unusable('is an object in the path');
    case 'header':
      if (/^user-agent$/i.test(name)) notTaken.push({ what: `the header ${name}`, why: 'Pegboard sets it' });
      if (ignored.test(name)) return [];
      if (!isHeaderName(name) || isReservedHeader(name)) return unusable('is a header that can not be set');
      return isFlat ? usable() : unusable('is an object in a header');
    case 'cookie':
      // A missing one would take the whole header with it.
      if (!required) return unusable('is a cookie that may be missing');
      return isFlat && kind !== 'array'
        ? usable({ schema: { ...whole, pattern: cookieValue } })
        : unusable('is a list or an object in a cookie');
    case 'query':
      break;
    default:
      return unusable(`is in the ${plainLine(place)}`);
  }
  if (media !== undefined)
    return isFlat || kind === 'object'
      ? usable({ isJoined: true })
      : usable(asText(description, 'A list as JSON: [1, 2]'));
  if (style === 'deepObject') return usable(kind === 'array' ? { name: `${name}[]` } : {});
  const delimiter = delimiters[style];
  if (delimiter !== undefined && parameter['explode'] !== true)
    return kind === 'array'
      ? usable(asText(description, `Several values have ${delimiter} between them`))
      : unusable(`has the style ${style}, and is no list`);
  if (style !== '' && style !== 'form' && delimiter === undefined)
    return unusable(`has the style ${plainLine(style)}`);
  if (kind === 'object') {
    const members = Object.entries(membersOf(whole['properties']));
    const isOpen = typeof whole['additionalProperties'] === 'object' || members.length === 0;
    if (parameter['explode'] === false || isOpen)
      return unusable(isOpen ? 'is an object whose members are not named' : 'is an object written as a list');
    const needed = new Set(required ? listOf(whole['required']) : []);
    return members.map(([member, inner]) => ({
      name: member,
      place: 'query',
      required: needed.has(member),
      description: membersOf(inner)['description'],
      schema: inner,
    }));
  }
  return usable(parameter['explode'] === false ? { isJoined: true } : {});
}

const delimiters: { readonly [style: string]: string } = { pipeDelimited: '|', spaceDelimited: 'a space' };
/** What can't end a cookie and begin another one. */
const cookieValue = '^[!#-+.-:<-\\[\\]-~-]*$';

/** A value that the caller writes as it is sent. */
const asText = (description: unknown, form: string): Pick<RequestPart, 'description' | 'schema'> => ({
  description: [plainLine(description).replace(/\.$/, ''), form].filter((part) => part !== '').join('. '),
  schema: { type: 'string' },
});

/** A member of a form, by what the document says of how it is written. */
export function toFormMember(part: RequestPart, encoding: Members): RequestPart {
  const { style, explode, contentType } = membersOf(encoding[part.name]);
  const { type, items, description } = part.schema as JsonSchema;
  const isList = type === 'array';
  const isJson = /json/i.test(trimmedText(contentType));
  if (isJson && (isList || type === 'object')) return { ...part, ...asText(description, 'As JSON') };
  if (!isList) return part;
  if (style === 'deepObject')
    return membersOf(items)['type'] === 'object' ? part : { ...part, name: `${part.name}[]` };
  const delimiter = delimiters[trimmedText(style)] ?? 'a comma';
  const isJoined = explode === false || (explode !== true && Object.hasOwn(delimiters, trimmedText(style)));
  return isJoined
    ? { ...part, ...asText(description, `Several values have ${delimiter} between them`) }
    : part;
}

/** The form in which the body is sent: JSON, a form, or text. Undefined without a body. Throws UnusableOperation. */
export function readBody(
  { operation, method }: Operation,
  document: ApiDocument,
  notTaken: LeftOutTool[],
): RequestBodyParts | undefined {
  if (operation['requestBody'] === undefined) return undefined;
  const body = document.resolve(operation['requestBody']);
  if (method === 'GET' || method === 'HEAD') {
    if (body['required'] === true)
      throw new UnusableOperation(`it is a ${method} request with a body, which can't be sent`);
    notTaken.push({ what: 'its body', why: `a ${method} request has none here` });
    return undefined;
  }
  const content = Object.entries(membersOf(body['content'])).map(
    ([type, media]) => [type.replace(/;.*/s, '').trim().toLowerCase(), membersOf(media)] as const,
  );
  if (content.length === 0) return undefined;
  const of = (pattern: RegExp): (typeof content)[number] | undefined =>
    content.find(([type]) => pattern.test(type));
  const [type, media] =
    of(/^application\/json$/) ??
    of(/^(?:application\/(?:[\w.-]+\+)?json|\*\/\*|application\/\*)$/) ??
    of(/^application\/x-www-form-urlencoded$/) ??
    of(/^(?:text\/[\w.+-]+|application\/(?:xml|yaml))$/) ??
    [];
  if (type === undefined || media === undefined)
    throw new UnusableOperation(
      `its body is ${plainLine(content.map(([name]) => name).join(' or '))}, which can't be sent`,
    );
  const kind = /json|\*/.test(type) ? 'json' : /form/.test(type) ? 'form' : 'text';
  const usual = kind === 'form' || type === 'application/json' || type.includes('*');
  // Many documents leave out that a body is required.
  const required = body['required'] !== false;
  const whole: RequestPart = {
    name: 'body',
    place: 'body',
    required,
    description: body['description'] ?? 'The body of the request',
    schema: kind === 'text' ? { type: 'string' } : (media['schema'] ?? {}),
  };
  return { kind, ...(!usual && { type }), whole, encoding: membersOf(media['encoding']) };
}

/** The members of a converted body as parts, where it is a plain object. */
export function membersOfBody(schema: JsonSchema, required: boolean): readonly RequestPart[] | undefined {
  const { type, properties, additionalProperties, anyOf } = schema;
  if (type !== 'object' || properties === undefined || anyOf !== undefined) return undefined;
  if (typeof additionalProperties === 'object') return undefined;
  const needed = new Set(required ? listOf(schema['required']) : []);
  return Object.entries(properties as { readonly [name: string]: JsonSchema }).map(
    ([name, member]): RequestPart => ({
      name,
      place: 'body',
      required: needed.has(name),
      description: '',
      schema: member,
    }),
  );
}
