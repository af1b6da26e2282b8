import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { PluginRequirements } from './manifest.ts';

/** Names and values of what the host was started with. */
export type Environment = { readonly [name: string]: string | undefined };

/** What is missing, each as a phrase that says what to do; empty means that the plugin can start. */
export function missingRequirements(requires: PluginRequirements, environment: Environment): string[] {
  const { env = [], secrets = [], binaries = [] } = requires;
  return [
    ...env.filter((name) => !environment[name]).map((name) => `the environment variable ${name} is not set`),
    ...secrets
      .filter((name) => !environment[name])
      .map((name) => `the secret ${name} is not there: set it in the environment`),
    ...binaries
      .filter((name) => !isProgram(name, environment['PATH'] ?? ''))
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
