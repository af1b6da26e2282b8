import type { Diagnostic } from '../api/diagnostic.ts';
import { sandboxProblem } from '../core/sandbox/availability.ts';
import type { Host } from '../host.ts';
import { nameOfPostgres } from '../store/database/postgres/address.ts';
import { callable } from '../tools/access.ts';
import { defaultOutputLength } from '../tools/output-limit.ts';
import { diagnosticToJson } from './diagnostic-json.ts';
import { countsOf } from './first-of-each.ts';

/**
 * The whole state of a host as JSON, with `diagnostics` for all that it has. Secrets are left out, such as variables of
 * servers and the token.
 */
export async function statusOf(host: Host, diagnostics: readonly Diagnostic[]) {
  const { config, registry, servers, spaces, plugins, approvals } = host;
  const { tools, sources, version } = registry.snapshot;
  return {
    home: host.home,
    version: host.version,
    node: process.versions.node,
    config: {
      name: config.name,
      ...(config.state !== undefined && { state: nameOfPostgres(config.state) }),
      confirm: config.confirm,
      outputLimit: config.outputLimit ?? defaultOutputLength,
      presets: [...config.presets.keys()],
      token: config.serve.token === undefined ? 'generated' : 'configured',
    },
    sandbox: { level: config.sandbox?.level ?? 'off', problem: await sandboxProblem() },
    registry: { version, tools: callable(registry.snapshot).length },
    sources: sources.map(({ id, kind, module, origin, channel }) => ({
      id,
      kind,
      module,
      tools: [...tools.values()].filter((tool) => tool.source.id === id).length,
      ...(channel !== undefined && { channel }),
      ...(origin !== undefined && { origin }),
    })),
    servers: servers.all.map((server) => server.status()),
    spaces: spaces.all.map(({ id, name, agents, pending }) => ({
      id,
      name,
      agents: agents.map(({ agent }) => agent.id),
      pending: pending ? (pending.whole ? 'all' : pending.changes.map((change) => change.name)) : [],
    })),
    plugins: plugins.states.map(({ manifest: { id, version, builtin }, state, generation, problem }) => ({
      id,
      version,
      builtin,
      state,
      generation,
      ...(problem !== undefined && { problem }),
    })),
    reports: host.reports.all,
    approvals: approvals.list(),
    diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, host.home)),
    diagnosticCounts: countsOf(host.diagnostics),
  };
}
