import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { CallTrace } from '../../../host/api/trace.ts';

/** Of `tracingChannel('pegboard:call')`. */
const ended = 'tracing:pegboard:call:asyncEnd';
let checks: Promise<readonly string[]>[] = [];

/** In every test, the structure of each result of a built-in tool has to be what the tool declares. */
beforeAll(() => subscribe(ended, check));
afterAll(() => void unsubscribe(ended, check));
afterEach(async () => {
  const begun = checks;
  checks = [];
  expect((await Promise.all(begun)).flat()).toEqual([]);
});

function check(message: unknown): void {
  const { tool, result } = message as CallTrace;
  if (tool?.source.kind !== 'builtin' || !tool.outputSchema || result?.structured === undefined) return;
  // It may return the result of another tool.
  if (tool.id === 'meta.background_run') return;
  checks.push(problemsOf(tool.id, tool.outputSchema, result.structured));
}

async function problemsOf(id: string, schema: object, structured: unknown): Promise<readonly string[]> {
  const { structureProblems } = await import('./problems.ts');
  const problems = await structureProblems(schema as { readonly [key: string]: unknown }, structured);
  return problems.map((problem) => `${id}: ${problem}`);
}
