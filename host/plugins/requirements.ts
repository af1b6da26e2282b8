import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { PluginRequirements } from './manifest.ts';

/** Where what plugins require is looked up. */
export interface Environment {
  variable(name: string): string | undefined;
  hasSecret(name: string): boolean;
}

/** What is missing, each as a phrase that says what to do; empty means that the plugin can start. */
export function missingRequirements(requires: PluginRequirements, environment: Environment): string[] {
  const { env = [], secrets = [], binaries = [] } = requires;
  return [
    ...env
      .filter((name) => !environment.variable(name))
      .map((name) => `the environment variable ${name} is not set`),
    ...secrets
      .filter((name) => !environment.hasSecret(name))
      .map((name) => `the secret ${name} is not stored`),
    ...binaries
      .filter((name) => !isProgram(name, environment.variable('PATH') ?? ''))
      .map((name) => `the program ${name} is not installed (it is not in PATH)`),
  ];
}

function isProgram(name: string, path: string): boolean {
  const names = process.platform === 'win32' ? [name, `${name}.exe`, `${name}.cmd`] : [name];
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .some((folder) => names.some((file) => isExecutable(join(folder, file))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
