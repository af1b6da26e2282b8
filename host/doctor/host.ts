import type { Check } from '../api/diagnostic.ts';
import type { Host } from '../host.ts';
import { checkProcesses } from './processes.ts';
import { checkSandbox } from './sandbox.ts';
import { checkTools } from './tools.ts';

/** What a host can do here. */
export const checkHost = async (host: Host): Promise<readonly Check[]> => [
  checkTools(host),
  await checkSandbox(host),
  checkProcesses(),
];
