import type { JsonSchema } from '../../../api/result.ts';
import { isHeaderName, isReservedHeader } from '../../../core/http/headers.ts';
import { listOf, membersOf, textOf, type Members } from '../../import/values.ts';
import { plainLine } from '../foreign-text.ts';
import { UnusableOperation, type ApiDocument } from './api-document.ts';
import type { Operation } from './operations.ts';

/** A value that a request takes, and where it goes. */
export interface RequestPart {
  /** As the API calls it. */
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'body';
  readonly required: boolean;
  readonly description: unknown;
  /** As the document has it. */
  readonly schema: unknown;
  /** In the query, a list is joined by commas. */
  readonly isJoined?: boolean;
}

/** The body of a request. */
export interface RequestBodyParts {
  readonly kind: 'json' | 'form' | 'text';
  /** The header Content-Type, where it isn't the usual one. */
  readonly type?: string;
  readonly whole: RequestPart;
}

/** Headers that other parts of the document describe, or that the connection sets. */
const ignored = /^(?:accept|content-type|authorization|user-agent)$/i;

/** Parameters of the path and the operation; those of the operation come first. Throws UnusableOperation. */
export function readParameters(
  { item, operation, path }: Operation,
  { resolve }: ApiDocument,
): readonly RequestPart[] {
  const written = [...listOf(operation['parameters']), ...listOf(item['parameters'])].map(resolve);
  const found = new Map<string, Members>();
  for (const parameter of written) {
    const key = `${textOf(parameter['in'])} ${textOf(parameter['name'])}`;
    if (!found.has(key)) found.set(key, parameter);
  }
  const parts = [...found.values()].flatMap((parameter) => toPart(parameter, resolve));
  const named = new Set(parts.filter(({ place }) => place === 'path').map(({ name }) => name));
  // A name in the path that nothing describes.
  const bare = namesIn(path).filter((name) => !named.has(name));
  return [
    ...parts.filter(({ name, place }) => place !== 'path' || namesIn(path).includes(name)),
    ...bare.map((name): RequestPart => ({
      name,
      place: 'path',
      required: true,
      description: '',
      schema: { type: 'string' },
    })),
  ];
}

const namesIn = (path: string): readonly string[] => [
  ...new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)),
];

function toPart(parameter: Members, resolve: ApiDocument['resolve']): readonly RequestPart[] {
  const name = textOf(parameter['name']);
  const place = textOf(parameter['in']);
  const required = parameter['required'] === true || place === 'path';
  const [media] = Object.values(membersOf(parameter['content']));
  const schema = parameter['schema'] ?? membersOf(media)['schema'] ?? { type: 'string' };
  const usable = (more: Partial<RequestPart> = {}): readonly RequestPart[] => [
    {
      name,
      place: place as RequestPart['place'],
      required,
      description: parameter['description'],
      schema,
      ...more,
    },
  ];
  const unusable = (why: string): readonly RequestPart[] => {
    if (required) throw new UnusableOperation(`its parameter ${plainLine(name)} ${why}`);
    return [];
  };
  const style = textOf(parameter['style']);
  const { type: kind } = resolve(schema);
  switch (place) {
    case 'path':
      return style === '' || style === 'simple' ? usable() : unusable(`has the style ${plainLine(style)}`);
    case 'header':
      if (ignored.test(name)) return [];
      return isHeaderName(name) && !isReservedHeader(name)
        ? usable()
        : unusable('is a header that can not be set');
    case 'query':
      if (style === 'deepObject') return usable(kind === 'array' ? { name: `${name}[]` } : {});
      if (style !== '' && style !== 'form') return unusable(`has the style ${plainLine(style)}`);
      if (media !== undefined || parameter['explode'] === false) return usable({ isJoined: true });
      return kind === 'object'
        ? unusable('is an object whose members are parameters of their own')
        : usable();
    default:
      return unusable(`is in the ${plainLine(place)}`);
  }
}

/** The form in which the body is sent: JSON, a form, or text. Undefined without a body. Throws UnusableOperation. */
export function readBody(
  { operation, method }: Operation,
  document: ApiDocument,
): RequestBodyParts | undefined {
  if (operation['requestBody'] === undefined || method === 'GET' || method === 'HEAD') return undefined;
  const body = document.resolve(operation['requestBody']);
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
  return { kind, ...(!usual && { type }), whole };
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
