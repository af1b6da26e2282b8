import { inheritedVariables } from '../../../../core/platform/variables.ts';

/** What a server's process inherits, and its own `env`. Secrets reach it only through the latter. */
export const serverEnvironment = (
  own: Readonly<Record<string, string>>,
  from: Readonly<NodeJS.ProcessEnv>,
): Record<string, string> => ({ ...inheritedVariables('server', from), ...own });
