import { join } from 'node:path';
import { readDotenv } from './core/documents/dotenv.ts';
import type { Platform } from './core/requirements.ts';

/**
 * The variables for reading a home's own configuration: those of the process, and what its `.env` adds. They are for
 * Pegboard itself: neither programs that it starts nor tools of spaces get them.
 */
export const environmentOf = (home: string, environment: Platform = process.env): Platform => ({
  ...readDotenv(join(home, '.env')),
  ...environment,
});

/** One of these variables, for code that runs without a host. */
export function variableOf(home: string): (name: string) => string | undefined {
  const environment = environmentOf(home);
  return (name) => environment[name];
}
