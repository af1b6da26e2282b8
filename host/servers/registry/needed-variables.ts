import { referencesIn } from '../../core/documents/interpolate.ts';
import type { McpServerConfig } from '../../sources/mcp/config.ts';
import type { InstallOption } from '../../sources/mcp/registry/install-options.ts';

/** One of the owner's variables that the entry will use. */
export interface NeededVariable {
  readonly name: string;
  readonly isSet: boolean;
  readonly isSecret: boolean;
  readonly description?: string;
}

export function neededVariables(
  config: McpServerConfig,
  way: InstallOption,
  resolve: (name: string) => string | undefined,
): readonly NeededVariable[] {
  const { args = [], env = {}, url = '', headers = {} } = config;
  const texts = [...args, url, ...Object.values(env), ...Object.values(headers)];
  return [...new Set(texts.flatMap(referencesIn))].map((name) => {
    const wanted = way.wanted.find((one) => one.variable === name);
    return {
      name,
      isSet: resolve(name) !== undefined,
      isSecret: wanted?.isSecret ?? wanted?.place === 'header',
      ...(wanted?.description !== undefined && { description: wanted.description }),
    };
  });
}
