import { loadConfig } from './config.ts';
import type { Redactor } from './core/secrets/redact.ts';
import type { ModelsConfig } from './formats/models.ts';
import { userHome } from './home.ts';
import { environmentOf } from './home-environment.ts';
import { isKnownHome } from './store/owner/known-homes.ts';
import { learnAmbientSecrets } from './compose/ambient-secrets.ts';
import { openOwnSecrets, redactedBy } from './compose/home-secrets.ts';

/** The models of the user's own home, and what their keys are read from. */
export interface ModelsOfUser {
  readonly models: ModelsConfig;
  /** A variable of the process or of that home's .env, or one of its secrets. */
  readonly resolve: (name: string) => string | undefined;
}

/**
 * For the home of a project, which has no models of its own: nothing else of the user's own home is used there. Undefined
 * when the user has no home of their own.
 */
export async function modelsOfUser(
  redactor: Redactor,
  outer: NodeJS.ProcessEnv,
): Promise<ModelsOfUser | undefined> {
  const home = userHome();
  if (!isKnownHome(home)) return undefined;
  const environment = environmentOf(home, outer);
  learnAmbientSecrets(redactor, home, outer);
  const secrets = openOwnSecrets(home, redactedBy(redactor, environment));
  const resolve = (name: string): string | undefined => environment[name] ?? secrets.get(name);
  const { config } = await loadConfig(home, resolve);
  return { models: config.models, resolve };
}

/**
 * For the home of a project that has models of its own. Their addresses are not the user's choice, so no variable of the
 * process, such as a key, is used for them unless the configuration names it.
 */
export function ownModelVariables(
  home: string,
  secrets: { get(name: string): string | undefined },
): (name: string) => string | undefined {
  const environment = environmentOf(home, {});
  return (name) => environment[name] ?? secrets.get(name);
}
