import type { RegisteredTool, Tool } from '../api/tool.ts';
import { oneLine } from '../tools/injection/compact.ts';
import { visibleTools } from '../tools/visible-tools.ts';
import { textResult } from '../tools/result.ts';
import type { StructuredOutput } from '../tools/structure.ts';
import { categoriesOf } from './category.ts';
import type { MetaServices } from './services.ts';
import { linesOf } from './summary.ts';

const outputSchema = {
  type: 'object',
  required: ['categories'],
  properties: {
    categories: {
      type: 'array',
      items: {
        type: 'object',
        required: ['category', 'tools'],
        properties: {
          category: { type: 'string' },
          tools: { type: 'integer', description: 'How many.' },
          description: { type: 'string' },
        },
      },
    },
  },
} as const;

export function listCategories({ snapshot }: MetaServices): Tool {
  return {
    name: 'list_categories',
    description: 'List all tool domains, with how many tools each has.',
    parameters: { type: 'object', properties: {} },
    outputSchema,
    annotations: { readOnlyHint: true },
    execute(_args, { scope }): StructuredOutput<typeof outputSchema> {
      const categories = countByCategory(visibleTools(snapshot(), scope).domain);
      return textResult(linesOf(categories), { categories });
    },
  };
}

interface Counted {
  readonly category: string;
  tools: number;
  readonly description?: string;
}

/** Modules have a description; categories that tools name have only a name. */
function countByCategory(tools: readonly RegisteredTool[]): readonly Counted[] {
  const counted = new Map<string, Counted>();
  for (const tool of tools) {
    const { module, description } = tool.source;
    for (const category of categoriesOf(tool)) {
      const known = counted.get(category);
      if (known) known.tools++;
      else {
        const own = category === module ? { description: oneLine(description) } : {};
        counted.set(category, { category, tools: 1, ...own });
      }
    }
  }
  return [...counted.values()];
}
