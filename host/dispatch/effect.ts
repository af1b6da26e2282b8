import type { RegisteredTool } from '../api/tool.ts';

/** Tools that do nothing but run others, which are judged themselves. */
const runners: ReadonlySet<string> = new Set(['execute_tool', 'run_parallel']);

/** Whether it must not run a second time unasked. Of built-in tools alone we know that a hint to read only holds. */
export const mayHaveEffect = ({ source, annotations, name }: RegisteredTool): boolean =>
  source.kind !== 'builtin' || (annotations?.readOnlyHint !== true && !runners.has(name));
