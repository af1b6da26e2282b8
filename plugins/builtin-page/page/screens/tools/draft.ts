import { signal, type Signal } from '@preact/signals';
import { parseJson, toJson } from 'pegboard/browser';
import { withProof } from '../../proof.ts';
import type { CallResult, FieldProblem } from '../../../wire.ts';
import { messageOf, post } from '../../api.ts';
import type { Problems } from '../../form/fields.tsx';
import { problemsAtFields, stillSaid } from '../../form/problems.ts';

/** What was entered for a tool, and what its last run returned. */
export interface Draft {
  readonly args: Signal<object>;
  /** The arguments as JSON text, while they are edited so. */
  readonly json: Signal<string | undefined>;
  /** Increases when fields must be made anew: they keep their own text. */
  readonly version: Signal<number>;
  /** What is wrong with the arguments. */
  readonly problems: Signal<Problems>;
  /** Set while it runs. */
  readonly running: Signal<AbortController | undefined>;
  readonly result: Signal<CallResult | undefined>;
  /** Why there is no result. */
  readonly failure: Signal<string | undefined>;
}

/** In memory alone: arguments may be secrets. */
const drafts = new Map<string, Draft>();

/** Stays when another screen is looked at. */
export function draftOf(tool: string): Draft {
  const known = drafts.get(tool);
  if (known) return known;
  const draft: Draft = {
    args: signal({}),
    json: signal(undefined),
    version: signal(0),
    problems: signal(new Map()),
    running: signal(undefined),
    result: signal(undefined),
    failure: signal(undefined),
  };
  drafts.set(tool, draft);
  return draft;
}

/** Takes what was entered in a field. */
export function enter({ args, problems }: Draft, next: object): void {
  problems.value = stillSaid(problems.value, args.value, next);
  args.value = next;
}

/** Takes other arguments, such as an example's. */
export function replaceArgs({ args, json, version, problems }: Draft, next: object): void {
  args.value = next;
  problems.value = new Map();
  if (json.value !== undefined) json.value = toJson(next, 2);
  version.value++;
}

export function editAsJson({ args, json }: Draft): void {
  json.value ??= toJson(args.value, 2);
}

/** Stays with JSON while its text is no object. */
export function editInForm({ args, json, version }: Draft): void {
  if (json.value === undefined || !objectIn(json.value)) return;
  args.value = objectIn(json.value)!;
  json.value = undefined;
  version.value++;
}

/** Undefined when it is no JSON, or no object. */
export function objectIn(text: string): object | undefined {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the tool, unless it runs already or its arguments are no JSON. */
export async function run(tool: string, draft: Draft): Promise<void> {
  const { args, json, problems, running, result, failure } = draft;
  if (running.value || (json.value !== undefined && !objectIn(json.value))) return;
  const stop = new AbortController();
  running.value = stop;
  failure.value = undefined;
  try {
    const answer = await withProof(() => post<CallResult>('call', { tool, args: args.value }, stop.signal));
    result.value = answer;
    if (answer) problems.value = problemsAtFields(problemsOf(answer));
    if (!answer) failure.value = 'Not run: it needs a code.';
  } catch (cause) {
    result.value = undefined;
    failure.value = stop.signal.aborted ? 'Stopped.' : messageOf(cause);
  } finally {
    running.value = undefined;
  }
}

/** What a tool that refuses its arguments says of them. */
const problemsOf = ({ error }: CallResult): readonly FieldProblem[] =>
  ((error?.data ?? {}) as { readonly problems?: readonly FieldProblem[] }).problems ?? [];
