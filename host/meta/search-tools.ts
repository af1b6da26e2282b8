import type { Tool } from '../api/tool.ts';
import { validatorOf } from '../core/documents/schema.ts';
import { PegboardError } from '../core/errors.ts';
import { shownOf } from '../tools/shown-results.ts';
import { isVisible } from '../tools/access.ts';
import { isMeta } from '../tools/meta.ts';
import { textResult } from '../tools/result.ts';
import type { StructuredOutput } from '../tools/structure.ts';
import type { MetaServices } from './services.ts';
import { linesOf, parametersOf, summaryOf, summarySchema } from './summary.ts';

interface Args {
  readonly domain?: string;
  readonly queries?: readonly string[];
  readonly query?: string;
  readonly server?: string;
  readonly category?: string;
  readonly limit: number;
}

const properties = {
  domain: { type: 'string', description: 'App, service or field: github, calendar, files' },
  queries: { type: 'array', items: { type: 'string' } },
  query: { type: 'string' },
  server: { type: 'string', description: 'MCP server or module to prefer' },
  category: { type: 'string', description: 'Only this category or module' },
  limit: { type: 'integer', minimum: 1, maximum: 50, default: 5 },
};

/**
 * Part of every request in discovery, so it is kept short. Models that have to name the domain find more: 88.9 instead
 * of 84.0 of a hundred tools among the first five.
 */
const parameters = { type: 'object', properties, required: ['domain'] };
const name = { type: 'string', maxLength: 200 };
const query = { type: 'string', maxLength: 1_000 };
/** `domain` is required above, but not enforced; lengths are enforced, and no model has to read of them. */
const accepted = {
  type: 'object',
  properties: {
    ...properties,
    domain: name,
    server: name,
    category: name,
    query,
    queries: { type: 'array', items: query },
  },
};

const outputSchema = {
  type: 'object',
  required: ['tools', 'isSure'],
  properties: {
    tools: {
      type: 'array',
      items: {
        type: 'object',
        required: [...summarySchema.required, 'parameters'],
        properties: {
          ...summarySchema.properties,
          parameters: { type: 'string', description: 'Names; * marks required ones.' },
        },
      },
    },
    isSure: { type: 'boolean', description: 'false: none matches, and these are the nearest.' },
  },
} as const;

export function searchTools({ search }: MetaServices): Tool<Args> {
  return {
    name: 'search_tools',
    description:
      'Find tools by what they do. Write each query as domain + action + object: "github create issue". * marks required parameters.',
    parameters,
    validateArguments: false,
    outputSchema,
    annotations: { readOnlyHint: true },
    aliases: ['find_tools', 'tool_search'],
    async execute(args, { scope }): Promise<StructuredOutput<typeof outputSchema>> {
      await check(args);
      const { domain, queries = [], query, server, category, limit } = args;
      const wanted = [...queries, ...(query === undefined ? [] : [query])].filter(
        (text) => text.trim() !== '',
      );
      if (wanted.length === 0) {
        throw new PegboardError('PEG_INVALID_ARGUMENTS', 'search_tools needs queries, or a query.', {
          data: { schema: parameters },
        });
      }
      const request = {
        queries: wanted,
        ...(domain !== undefined && { domain }),
        ...(server !== undefined && { server }),
        ...(category !== undefined && { category }),
      };
      const found = await search(request, limit, (tool) => !isMeta(tool) && isVisible(tool, scope));
      const { isSure, shown } = shownOf(found);
      const items = shown.map(({ tool }) => ({ ...summaryOf(tool), parameters: parametersOf(tool) }));
      return textResult(isSure ? linesOf(items) : nothingMatches(wanted, items), { tools: items, isSure });
    },
  };
}

/** Validates, and fills in defaults. */
async function check(args: Args): Promise<void> {
  const validate = await validatorOf(accepted, 'filled');
  const problems = validate(args);
  if (problems.length === 0) return;
  const said = problems.map(({ message }) => message).join('; ');
  throw new PegboardError('PEG_INVALID_ARGUMENTS', `The arguments of search_tools don't fit: ${said}.`, {
    data: { problems, schema: parameters },
  });
}

/** Not a JSON list, and every item is marked: programs that parse the result can't mistake these for matches. */
function nothingMatches(queries: readonly string[], nearest: readonly object[]): string {
  const said = `No tool matches ${queries.map((query) => `"${query}"`).join(', ')}.`;
  const advice = 'Try other words, or list_categories.';
  if (nearest.length === 0) return `${said} ${advice}`;
  const items = linesOf(nearest.map((item) => ({ nearest: true, ...item })));
  return `${said} ${advice} The nearest, which probably do something else:\n${items}`;
}
