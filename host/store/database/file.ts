import { join } from 'node:path';

export const databaseFileOf = (home: string): string => join(home, 'data/pegboard.db');
