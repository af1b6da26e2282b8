import { runTests } from './run-tests.ts';
import type { SoakTally } from './run.ts';

const tests = ['test/host/cli/import-tools/openapi/public-documents.test.ts'];

/** Makes tools of the largest public OpenAPI documents that npm's registry has, and calls two of each. */
export const soakImports = (tally: SoakTally): Promise<void> => runTests(tally, 'imports', tests);
