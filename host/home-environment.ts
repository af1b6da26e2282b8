import { join } from 'node:path';
import { readDotenv } from './core/documents/dotenv.ts';
import type { Platform } from './core/requirements.ts';

/**
 * The variables that a home's own configuration is read with: those of the process, and what its `.env` adds to them. They
 * are for Pegboard itself: no program that it starts gets them, and no tool of a space.
 */
export const environmentOf = (home: string, environment: Platform = process.env): Platform => ({
  ...readDotenv(join(home, '.env')),
  ...environment,
});

/** One of them, for what is read without a host. */
export function variableOf(home: string): (name: string) => string | undefined {
  const environment = environmentOf(home);
  return (name) => environment[name];
}
