import type { JsonSchema, ToolDefinition, ToolSource } from 'pegboard';

/** The searched parts of a tool. */
export interface SearchedTool extends Pick<
  ToolDefinition,
  'name' | 'title' | 'description' | 'parameters' | 'category' | 'tags' | 'aliases' | 'examples' | 'icon'
> {
  readonly source: Pick<ToolSource, 'module' | 'description'>;
}

export interface Field {
  /** Weight of a word in this field. */
  readonly weight: number;
  /** Length normalisation: 0 none, 1 proportional. */
  readonly b: number;
  /** Pairs of adjacent words are indexed too. */
  readonly pairs?: true;
  /** Adjacent words are also indexed as one word. */
  readonly joins?: true;
  readonly textOf: (tool: SearchedTool) => string;
}

/** The fields of BM25F, with weights that were tuned on several collections at once. */
export const fields: readonly Field[] = [
  { weight: 3, b: 0.6, pairs: true, joins: true, textOf: nameOf },
  { weight: 3, b: 0.3, textOf: aliasesOf },
  { weight: 2, b: 0.3, textOf: ({ source }) => source.module },
  { weight: 0.5, b: 0, textOf: tagsOf },
  { weight: 1, b: 0.6, pairs: true, textOf: ({ description }) => description },
  { weight: 1, b: 0.6, textOf: examplesOf },
  { weight: 1, b: 0.5, textOf: (tool) => Object.keys(propertiesOf(tool)).join(' ') },
  { weight: 0.7, b: 0.5, textOf: parameterTextsOf },
  { weight: 0.25, b: 0.6, textOf: ({ source }) => source.description },
];

/** A tool's most distinctive text, for the index that tolerates typos. */
export function headlineOf(tool: SearchedTool): string {
  const name = nameOf(tool);
  return [name, name, aliasesOf(tool), tool.source.module, firstSentence(tool.description)].join(' . ');
}

/** All names of the tool. */
export const titleOf = (tool: SearchedTool): string => `${nameOf(tool)} . ${aliasesOf(tool)}`;

/** Characters of a text to embed: models read a few hundred words. */
const maxMeaningLength = 2_000;

/** The text of a tool to embed, the most important part first. */
export function meaningTextOf(tool: SearchedTool): string {
  const { description, source } = tool;
  const parameters = Object.keys(propertiesOf(tool)).join(', ');
  const texts = [nameOf(tool), description, aliasesOf(tool), tagsOf(tool), source.description, parameters];
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n')
    .slice(0, maxMeaningLength);
}

/** Whether the searched text is the same. Compared by reference: a source that lists again creates new objects. */
export function isIndexedAlike(a: SearchedTool, b: SearchedTool): boolean {
  return (
    a.name === b.name &&
    a.title === b.title &&
    a.description === b.description &&
    a.parameters === b.parameters &&
    a.category === b.category &&
    a.tags === b.tags &&
    a.aliases === b.aliases &&
    a.examples === b.examples &&
    a.icon === b.icon &&
    a.source === b.source
  );
}

function nameOf({ name, title }: SearchedTool): string {
  return title === undefined || title === name ? name : `${name} ${title}`;
}

function aliasesOf({ aliases }: SearchedTool): string {
  return aliases?.join(' . ') ?? '';
}

function tagsOf({ category = '', tags = [], icon = '' }: SearchedTool): string {
  return [category, ...tags, icon].join(' ');
}

/** The argument values of examples. */
function examplesOf({ examples }: SearchedTool): string {
  return examples?.map(({ input }) => Object.values(input).filter(isText).join(' ')).join(' . ') ?? '';
}

type Properties = { readonly [name: string]: JsonSchema | undefined };

function propertiesOf({ parameters }: SearchedTool): Properties {
  const properties = (parameters as { readonly properties?: unknown }).properties;
  return typeof properties === 'object' && properties !== null ? (properties as Properties) : {};
}

/** Enum values that are indexed: a list of all countries says no more than its beginning. */
const maxChoices = 20;

function parameterTextsOf(tool: SearchedTool): string {
  return Object.values(propertiesOf(tool))
    .map((schema) => {
      const { description, enum: choices } = (schema ?? {}) as {
        readonly description?: unknown;
        readonly enum?: unknown;
      };
      const texts = Array.isArray(choices) ? choices.filter(isText).slice(0, maxChoices) : [];
      return [...(isText(description) ? [description] : []), ...texts].join(' ');
    })
    .join(' ');
}

const isText = (value: unknown): value is string => typeof value === 'string';

function firstSentence(text: string): string {
  return /^[\s\S]{15,300}?(?:[.!?](?=\s)|\n|$)/.exec(text.trim())?.[0] ?? text.slice(0, 300);
}
