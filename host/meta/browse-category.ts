import type { Tool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';
import { visibleTools } from '../tools/visible-tools.ts';
import { textResult } from '../tools/result.ts';
import type { StructuredOutput } from '../tools/structure.ts';
import { categoriesOf, isIn } from './category.ts';
import type { MetaServices } from './services.ts';
import { linesOf, summaryOf, summarySchema } from './summary.ts';
import { plural } from '../core/text/plural.ts';

interface Args {
  readonly category: string;
  readonly page: number;
}

const pageSize = 20;

const outputSchema = {
  type: 'object',
  required: ['tools', 'page', 'pages', 'total'],
  properties: {
    tools: { type: 'array', items: summarySchema },
    page: { type: 'integer' },
    pages: { type: 'integer' },
    total: { type: 'integer', description: 'Tools of all pages.' },
  },
} as const;

export function browseCategory({ snapshot }: MetaServices): Tool<Args> {
  return {
    name: 'browse_category',
    description: 'List the tools of one domain, 20 a page, each with its risk.',
    parameters: {
      type: 'object',
      properties: {
        category: { type: 'string' },
        page: { type: 'integer', minimum: 1, default: 1 },
      },
      required: ['category'],
    },
    outputSchema,
    annotations: { readOnlyHint: true },
    execute({ category, page }, { scope }): StructuredOutput<typeof outputSchema> {
      const { domain } = visibleTools(snapshot(), scope);
      const tools = domain.filter((tool) => isIn(tool, category));
      if (tools.length === 0) throw unknownCategory(category, domain.flatMap(categoriesOf));
      const pages = Math.ceil(tools.length / pageSize);
      if (page > pages)
        throw new PegboardError(
          'PEG_INVALID_ARGUMENTS',
          `"${category}" has ${plural(pages, 'page')}, no page ${page}.`,
        );
      const shown = tools.slice((page - 1) * pageSize, page * pageSize);
      const items = shown.map(summaryOf);
      const list = linesOf(items);
      return textResult(
        pages === 1 ? list : `Page ${page} of ${pages}, ${plural(tools.length, 'tool')}:\n${list}`,
        { tools: items, page, pages, total: tools.length },
      );
    },
  };
}

function unknownCategory(category: string, known: readonly string[]): PegboardError {
  const names = [...new Set(known)];
  const near = nearest(category, names, 3);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'list_categories has them all.';
  return new PegboardError('PEG_INVALID_ARGUMENTS', `There is no category "${category}". ${hint}`, {
    data: { suggestions: near },
  });
}
