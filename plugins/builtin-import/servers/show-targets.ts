import { commandOf, type McpServerConfig, shownConfig } from 'pegboard/home';
import { oneLine, type Surface } from 'pegboard/terminal';

/** What each server would run or connect to, and which of the owner's variables it would get: to be read before a Yes. */
export function showTargets(
  out: Surface,
  servers: readonly { readonly name: string; readonly config: McpServerConfig }[],
): void {
  for (const { name, config: written } of servers) {
    const config = shownConfig(name, written);
    const values = Object.values({ ...config.env, ...config.headers });
    const variables = values.filter((value) => value.includes('${'));
    const given = variables.length > 0 ? `  (gets ${variables.join(', ')})` : '';
    out.line(`  ${out.style.name(oneLine(name))}  ${oneLine(`${commandOf(config)}${given}`)}`);
  }
}
