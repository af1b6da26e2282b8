import { docsPage } from '../core/docs-page.ts';
import type { Check } from '../api/diagnostic.ts';
import type { SandboxRule } from '../api/sandbox.ts';
import { confinerName, sandboxProblem } from '../core/sandbox/availability.ts';
import { toSandboxRule } from '../core/sandbox/rule.ts';
import type { Host } from '../host.ts';
import { failed, ok, warning } from '../status/check.ts';

/** What is configured to be confined, and whether this machine can do it. */
export async function checkSandbox(host: Host): Promise<Check> {
  const problem = await sandboxProblem();
  const confined = confinedIn(host);
  if (problem === undefined) {
    return ok(
      'sandbox',
      confined.length > 0
        ? `${confinerName()} confines ${confined.join(', ')}`
        : `${confinerName()} works, but is not used: sandbox: workspace in pegboard.yaml sandboxes all commands`,
    );
  }
  return confined.length > 0
    ? failed('sandbox', `${confined.join(', ')} can't run: ${problem}`, `see ${docsPage('sandbox.md')}`)
    : warning(
        'sandbox',
        `commands can't be sandboxed: ${problem}`,
        `${docsPage('sandbox.md')} describes the protections without a sandbox`,
      );
}

function confinedIn({ home, surroundings, config, spaces, registry }: Host): readonly string[] {
  const holds = (rule: SandboxRule | undefined): boolean => rule !== undefined && rule.level !== 'off';
  const servers = [...config.servers].filter(([, entry]) =>
    holds(toSandboxRule(entry.config.sandbox, home, surroundings.userHome)),
  );
  return [
    ...(holds(config.sandbox) ? ['all commands'] : []),
    ...spaces.all.filter(({ sandbox }) => holds(sandbox)).map(({ id }) => `the space ${id}`),
    ...spaces.agents.filter(({ sandbox }) => holds(sandbox)).map(({ id }) => `the agent ${id}`),
    ...[...registry.snapshot.tools.values()].filter(({ sandbox }) => holds(sandbox)).map(({ id }) => id),
    ...servers.map(([name]) => `the MCP server ${name}`),
  ];
}
