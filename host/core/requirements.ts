import { pegboard } from './own-command.ts';
import { findProgram } from './platform/programs.ts';

/** What something needs before it can be used. */
export interface Requirements {
  /** Environment variables. */
  readonly env?: readonly string[];
  readonly secrets?: readonly string[];
  /** Programs on the PATH. */
  readonly binaries?: readonly string[];
}

/** Names and values of the host's environment. */
export type Platform = { readonly [name: string]: string | undefined };

/** The missing requirements, each as a phrase that says what to do. `resolve` returns variables and secrets. */
export function missingRequirements(
  requires: Requirements,
  environment: Platform,
  resolve: (name: string) => string | undefined,
): string[] {
  const { env = [], secrets = [], binaries = [] } = requires;
  return [
    ...env.filter((name) => !environment[name]).map((name) => `the environment variable ${name} is not set`),
    ...secrets
      .filter((name) => !resolve(name))
      .map((name) => `the secret ${name} is not there: store it with \`${pegboard} secret set ${name}\``),
    ...binaries
      .filter((name) => findProgram(name, { path: environment['PATH'] ?? '' }) === undefined)
      .map((name) => `the program ${name} is not installed (it is not in PATH)`),
  ];
}
