import type { Diagnostic } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { callable, pendingIn, whoAnswers, withoutSecretParts } from 'pegboard/home';
import { sandboxProblem } from 'pegboard/kit';
import type { HomeStatus } from '../wire.ts';
import { toDiagnosticRow } from './diagnostic-row.ts';
import type { ApiHandlers } from './handler.ts';

/** Diagnostics that are sent at once: a home may have thousands. */
const pageSize = 50;

/** Whether all is well in the home. */
export function homeHandlers(host: Host): ApiHandlers {
  return {
    'GET home': () => homeStatus(host),
    'GET diagnostics': ({ query }) => {
      const from = Math.max(0, Number(query.get('from')) || 0);
      const all = errorsFirst(host.diagnostics);
      return {
        total: all.length,
        rows: all.slice(from, from + pageSize).map((one) => toDiagnosticRow(one, host.home)),
      };
    },
  };
}

async function homeStatus(host: Host): Promise<HomeStatus> {
  const { home, version, registry, servers, plugins, spaces, config, reports } = host;
  const answering = whoAnswers(host);
  const problem = await sandboxProblem();
  const level = config.sandbox?.level ?? 'off';
  const { diagnostics } = host;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return {
    home,
    version,
    // As many as the list of tools has.
    tools: callable(registry.snapshot).length,
    model: {
      ok: answering.status === 'ok',
      text: answering.message,
      ...(answering.fix !== undefined && { fix: answering.fix }),
    },
    sandbox: {
      ok: level !== 'off' && problem === undefined,
      text: level === 'off' ? 'Commands run unsandboxed.' : (problem ?? 'Commands are confined.'),
    },
    servers: servers.all.map((server) => {
      const { name, state, tools, error } = server.status();
      return { name, state, tools, ...(error !== undefined && { problem: withoutSecretParts(error) }) };
    }),
    plugins: plugins.states.map(({ manifest, state, problem }) => ({
      id: manifest.id,
      version: manifest.version,
      state,
      ...(problem !== undefined && { problem }),
    })),
    spaces: spaces.all.map(({ id, agents, pending }) => ({
      id,
      agents: agents.map(({ agent }) => agent.id),
      pending: pending !== undefined,
    })),
    reports: reports.all.map(({ name, status, message }) => ({ name, status, message })),
    pendingApprovals: pendingIn(host).length,
    diagnostics: {
      errors: errors.length,
      warnings: diagnostics.length - errors.length,
      first: errorsFirst(diagnostics)
        .slice(0, pageSize)
        .map((one) => toDiagnosticRow(one, home)),
    },
  };
}

const errorsFirst = (all: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...all.filter(({ severity }) => severity === 'error'),
  ...all.filter(({ severity }) => severity !== 'error'),
];
