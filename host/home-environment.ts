import { join } from 'node:path';
import { readDotenv } from './core/documents/dotenv.ts';
import type { User } from './core/platform/places.ts';
import type { Platform } from './core/requirements.ts';

/**
 * The variables for reading a home's own configuration: those of the process, and what its `.env` adds. They are for
 * Pegboard itself: neither programs that it starts nor tools of spaces get them.
 */
export const environmentOf = (home: string, { env, userHome }: User): Platform => ({
  ...readDotenv(join(home, '.env'), { userHome }),
  ...env,
});

/**
 * Where a variable is set, as "the environment", whose value comes before a secret of the same name. Undefined: nowhere, or
 * only with `value`.
 */
export function placesBefore(
  { home, name, value }: { readonly home: string; readonly name: string; readonly value: string },
  { env, userHome }: User,
): string | undefined {
  const file = join(home, '.env');
  const differs = (found: string | undefined): boolean => found !== undefined && found !== value;
  const places = [
    ...(differs(env[name]) ? ['the environment'] : []),
    ...(differs(readDotenv(file, { userHome })[name]) && env[name] !== value ? [file] : []),
  ];
  return places.length === 0 ? undefined : places.join(' and ');
}

/** One of these variables, for code that runs without a host. */
export function variableOf(home: string, user: User): (name: string) => string | undefined {
  const environment = environmentOf(home, user);
  return (name) => environment[name];
}
