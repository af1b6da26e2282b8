const compiled = new Map<string, RegExp>();

/** Does `name` match `pattern`, in which `*` stands for any characters? */
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
    if (compiled.size > 1000) compiled.clear();
    compiled.set(pattern, expression);
  }
  return expression.test(name);
}

/** Does any pattern match the tool's id, its bare name, or (a pattern without a dot) its module? */
export function matchesTool(
  patterns: readonly string[],
  tool: { readonly id: string; readonly name: string },
): boolean {
  return patterns.some(
    (pattern) =>
      matchesGlob(pattern, tool.id) ||
      matchesGlob(pattern, tool.name) ||
      // Not the letters that it begins with: a tool's name may have dots.
      tool.id === `${pattern}.${tool.name}`,
  );
}
