import type { RegisteredTool } from '../api/tool.ts';

/** The categories of a tool: its module, and the category that it names. */
export function categoriesOf({ source, category }: RegisteredTool): readonly string[] {
  return category === undefined || sameCategory(category, source.module)
    ? [source.module]
    : [source.module, category];
}

export function isIn(tool: RegisteredTool, category: string): boolean {
  return categoriesOf(tool).some((own) => sameCategory(own, category));
}

const sameCategory = (a: string, b: string): boolean => a.toLowerCase() === b.trim().toLowerCase();
