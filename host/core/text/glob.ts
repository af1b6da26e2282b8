import { LRUCache } from 'lru-cache';

const compiled = new LRUCache<string, RegExp>({ max: 1_000 });

/** Whether `name` matches `pattern`, in which `*` matches any characters. */
export function matchesGlob(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  let expression = compiled.get(pattern);
  if (!expression) {
    expression = new RegExp(
      `^${pattern
        .split(/\*+/)
        .map((part) => RegExp.escape(part))
        .join('.*')}$`,
      'su',
    );
    compiled.set(pattern, expression);
  }
  return expression.test(name);
}

/** Whether any pattern matches the tool's id, its bare name or, for a pattern without a dot, its module. */
export function matchesTool(
  patterns: readonly string[],
  tool: { readonly id: string; readonly name: string },
): boolean {
  return patterns.some(
    (pattern) =>
      matchesGlob(pattern, tool.id) ||
      matchesGlob(pattern, tool.name) ||
      // Not by prefix, because a tool's name may contain dots.
      tool.id === `${pattern}.${tool.name}`,
  );
}
