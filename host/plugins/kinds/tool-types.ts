import type { Tool } from '../../api/tool.ts';

const flag = [(value: unknown) => typeof value === 'boolean', 'true or false'] as const;
const text = [(value: unknown) => typeof value === 'string', 'text'] as const;
const listOfText = [
  (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'a list of texts',
] as const;
const list = [(value: unknown) => Array.isArray(value), 'a list'] as const;
const object = [(value: unknown) => isObject(value), 'an object'] as const;
const callable = [(value: unknown) => typeof value === 'function', 'a function'] as const;

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Type = readonly [fits: (value: unknown) => boolean, what: string];

const toolTypes: { readonly [member in keyof Tool]?: Type } = {
  title: text,
  outputSchema: object,
  annotations: object,
  icons: list,
  execution: object,
  category: text,
  tags: listOfText,
  aliases: listOfText,
  sameAs: text,
  examples: list,
  icon: text,
  command: text,
  documentation: text,
  meta: object,
  timeout: [(value) => Number.isFinite(value) && Number(value) > 0, 'a number of seconds above 0'],
  pausesTurnTimeout: flag,
  confirm: flag,
  guarded: [
    (value) => typeof value === 'boolean' || typeof value === 'function',
    'true, false or a function',
  ],
  secrets: callable,
  untrusted: [(value) => isObject(value) || typeof value === 'function', 'an origin or a function'],
  tracksOrigins: flag,
  relays: [(value) => typeof value === 'boolean' || typeof value === 'function', 'true, false or a function'],
  recordsChanges: flag,
  sandbox: object,
  fingerprint: text,
  origin: text,
  mentions: object,
  innerCalls: list,
  validateArguments: flag,
  preservesNumbers: flag,
  fillDefaults: flag,
  prepare: callable,
};
const annotationTypes: { readonly [member in keyof NonNullable<Tool['annotations']>]-?: Type } = {
  title: text,
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
};

/** The first member of a tool whose value has a wrong type, as "its timeout must be a number of seconds above 0". */
export function wrongType(tool: Tool): string | undefined {
  return (
    wrongIn('its', tool, toolTypes) ?? wrongIn('its annotation', tool.annotations ?? {}, annotationTypes)
  );
}

function wrongIn(owner: string, value: object, types: { readonly [name: string]: Type }): string | undefined {
  for (const [name, [fits, what]] of Object.entries(types)) {
    const given = (value as { readonly [name: string]: unknown })[name];
    if (given !== undefined && !fits(given)) return `${owner} ${name} must be ${what}`;
  }
  return undefined;
}
