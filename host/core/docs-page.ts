import { join } from 'node:path';
import { packageRoot } from './files/paths.ts';

/** Where a page of the documentation is on this machine: a clone and an installed package both have it. */
export const docsPage = (name: string): string => join(packageRoot, 'docs', name);
