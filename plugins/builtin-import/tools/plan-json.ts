import type { Diagnostic } from 'pegboard';
import { diagnosticToJson, shortPath } from 'pegboard/kit';
import type { CheckedPlan } from './check-plan.ts';
import type { NeededSecret, ToolPlan } from './tool-plan.ts';

interface Outcome {
  readonly home: string;
  readonly isDry: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Secrets without a value, or with another one. */
  readonly pending: readonly NeededSecret[];
}

/** As docs/command-line.md describes it. No value of a secret is in it. */
export const planToJson = (
  { source, space, notes }: ToolPlan,
  { files, secrets, leftOut }: CheckedPlan,
  { home, isDry, diagnostics, pending }: Outcome,
): object => ({
  source,
  space,
  dryRun: isDry,
  tools: files.map(({ path, state, manifest: { id, description, confirm = false } }) => ({
    id: `${space}.${id}`,
    path: shortPath(path, home),
    state,
    description,
    confirm,
  })),
  secrets: secrets.map(({ name, use }) => ({
    name,
    use,
    isSet: !pending.some((secret) => secret.name === name),
  })),
  notes,
  leftOut,
  diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, home)),
});
