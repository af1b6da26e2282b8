import type { Platform } from './core/requirements.ts';
import { loadConfig } from './config.ts';
import type { Redactor } from './core/secrets/redact.ts';
import type { User } from './core/platform/places.ts';
import type { ModelsConfig } from './formats/models.ts';
import { ownHome } from './home.ts';
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
  outer: Platform,
  user: User,
): Promise<ModelsOfUser | undefined> {
  const home = ownHome(user);
  if (!isKnownHome(home, user)) return undefined;
  const variables: User = { ...user, env: outer };
  const environment = environmentOf(home, variables);
  learnAmbientSecrets(redactor, home, variables);
  const secrets = openOwnSecrets(home, redactedBy(redactor, environment));
  const resolve = (name: string): string | undefined => environment[name] ?? secrets.get(name);
  const { config } = await loadConfig(home, { resolve, userHome: user.userHome });
  return { models: config.models, resolve };
}

/**
 * For the home of a project that has models of its own. Their addresses are not the user's choice, so no variable of the
 * process, such as a key, is used for them unless the configuration names it.
 */
export function ownModelVariables(
  home: string,
  secrets: { get(name: string): string | undefined },
  { userHome }: User,
): (name: string) => string | undefined {
  const environment = environmentOf(home, { env: {}, userHome });
  return (name) => environment[name] ?? secrets.get(name);
}
