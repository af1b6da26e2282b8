import type { RegisteredTool } from '../api/tool.ts';

/** Tools that only run other tools, which are checked in their own calls. */
const runners: ReadonlySet<string> = new Set(['execute_tool', 'run_parallel']);

/** Whether it must not be repeated without asking. `readOnlyHint` is trusted only for built-in tools. */
export const mayHaveEffect = ({ source, annotations, name }: RegisteredTool): boolean =>
  source.kind !== 'builtin' || (annotations?.readOnlyHint !== true && !runners.has(name));
