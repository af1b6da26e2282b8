import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  defineTool,
  PegboardError,
  textResult,
  type PluginContext,
  type Tool,
  type ToolCall,
  pegboard,
} from 'pegboard';
import { chatOfCall, terminalChat } from 'pegboard/channels';
import { check } from './check.ts';
import type { SelfConfig } from './config.ts';
import { isOver, planFile, readPlan, writePlan, type DeployPlan } from './deploy-plan.ts';
import { git, type Checkout } from './git.ts';
import { commitInService } from './in-service.ts';
import type { Project } from './project.ts';

const maxPerHour = 3;
/** Milliseconds. */
const timeoutsMs = { types: 120_000, tests: 900_000 };

/**
 * Checks the changes and leaves the restart to a separate process, which rolls back if the new version is unhealthy.
 * The new code has no influence on that.
 */
export function createDeploy(
  project: Project,
  config: SelfConfig,
  { home, installation }: Pick<PluginContext, 'home' | 'installation'>,
): Tool {
  const { root } = project;
  const history = join(home, historyFile);
  return defineTool({
    name: 'self_deploy',
    title: 'Deploy own source',
    description:
      'Puts the committed source into service: checks types and tests, tags the running version, restarts, checks health, and rolls back by itself if the new version is unhealthy. At most three an hour.',
    category: 'self',
    tags: ['restart', 'release'],
    annotations: { destructiveHint: true, openWorldHint: false },
    confirm: true,
    timeout: (timeoutsMs.types + timeoutsMs.tests) / 1000 + 60,
    pausesTurnTimeout: true,
    parameters: { type: 'object', additionalProperties: false, properties: {} },
    outputSchema: {
      type: 'object',
      required: ['tag', 'commit', 'replaces'],
      properties: {
        tag: { type: 'string', description: 'Of the version that it goes back to.' },
        commit: { type: 'string' },
        replaces: { type: 'string', description: 'The commit of that version.' },
      },
    },
    async prepare() {
      const diff = await git(project, ['diff', inService(root, home), 'HEAD']);
      const preview = diff.trim() === '' ? 'nothing has changed since the running version' : diff;
      return { preview, cwd: root, sensitive: 'It replaces the Pegboard that runs by what is committed.' };
    },
    async execute(_args, call) {
      const deploys = recentDeploys(history);
      if (deploys.length >= maxPerHour) {
        throw new PegboardError(
          'PEG_LIMIT',
          `There were ${deploys.length} deploys in the last hour; wait before the next.`,
        );
      }
      const other = readPlan(planFile(home));
      if (other && !isOver(other)) {
        throw new PegboardError(
          'PEG_TOOL_FAILED',
          `The deploy after ${other.tag} is still under way; wait for its outcome.`,
        );
      }
      const dirty = await git(project, ['status', '--porcelain', '--untracked-files=no'], {
        signal: call.signal,
      });
      if (dirty.trim() !== '') {
        throw new PegboardError('PEG_TOOL_FAILED', `There are changes that are not committed:\n${dirty}`);
      }
      const { signal } = call;
      const types = ['node_modules/typescript/bin/tsc', '--noEmit'];
      await check('types', { ...project, args: types, timeoutMs: timeoutsMs.types, signal });
      call.progress({ progress: 1, total: 3, message: 'types are right' });
      const tests = ['node_modules/vitest/vitest.mjs', 'run'];
      await check('tests', { ...project, args: tests, timeoutMs: timeoutsMs.tests, signal });
      call.progress({ progress: 2, total: 3, message: 'tests pass' });
      const good = inService(root, home);
      const tag = `pre-deploy-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;
      await git(project, ['tag', tag, good]);
      const plan: DeployPlan = {
        tag,
        good,
        tried: (await git(project, ['rev-parse', 'HEAD'])).trim(),
        root,
        home,
        reserve: join((await git(project, ['rev-parse', '--absolute-git-dir'])).trim(), 'pegboard-reserve'),
        ...commandsOf(config, home),
        reportCommand: reportCommandOf(home, installation),
        chat: chatOfCall(call as ToolCall) ?? terminalChat,
        reported: false,
        state: 'begun',
        attempts: 0,
      };
      begin(plan, [...deploys, Date.now()], project.env);
      return textResult(
        `Pegboard restarts now, and rolls back to ${tag} if the new version is unhealthy. The outcome is reported here in a minute, and recorded in data/deploy.log.`,
        { tag, commit: plan.tried, replaces: good },
      );
    },
  });
}

/** Bytes reserved for the changed files during a rollback. */
const reserveSize = 8 << 20;

/** From here on the deploy continues even if this process is killed. Throws PEG_TOOL_FAILED when it can't begin. */
function begin(plan: DeployPlan, deploys: readonly number[], env: Checkout['env']): void {
  const { home, reserve } = plan;
  try {
    mkdirSync(join(home, 'data'), { recursive: true, mode: 0o700 });
    writeFileSync(reserve, randomFillSync(Buffer.alloc(reserveSize)), { mode: 0o600 });
    writeFileSync(join(home, historyFile), JSON.stringify(deploys), { mode: 0o600 });
    writePlan(planFile(home), plan);
    supervise(plan, env);
  } catch (cause) {
    for (const file of [reserve, planFile(home)]) rmSync(file, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PegboardError('PEG_TOOL_FAILED', `Not deployed, and nothing was restarted: ${why}`, { cause });
  }
}

const historyFile = 'data/deploys.json';

/**
 * Throws PEG_TOOL_FAILED when the deployed version is unknown: rolling back to a guess could start a version that never
 * ran.
 */
function inService(root: string, home: string): string {
  const commit = commitInService(root, home);
  if (commit !== undefined) return commit;
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `Not deployed: the running version is unknown. \`${pegboard} start\` records it when it starts; restart it once.`,
  );
}

function recentDeploys(history: string): readonly number[] {
  if (!existsSync(history)) return [];
  const times = JSON.parse(readFileSync(history, 'utf8')) as readonly number[];
  return times.filter((time) => Date.now() - time < 3_600_000);
}

/** The requester already trusts this home. */
function reportCommandOf(home: string, installation: string): readonly string[] {
  const entry = join(installation, 'bin/pegboard.cjs');
  return [process.execPath, entry, 'self', 'outcome', '--home', home, '--trust-home'];
}

function commandsOf(
  config: SelfConfig,
  home: string,
): Pick<DeployPlan, 'restart' | 'health' | 'commandLimit' | 'healthWithin' | 'healthFor'> {
  const { service, restart, commandLimit, healthWithin, healthFor } = config;
  return {
    restart: restart ?? ['systemctl', 'restart', service],
    health: healthCommand(config, home),
    commandLimit,
    healthWithin,
    healthFor,
  };
}

/** Uses a process that survives the host. */
export function supervise(plan: DeployPlan, env: Checkout['env']): void {
  const { home, root } = plan;
  const log = openSync(join(home, 'data/deploy.log'), 'a', 0o600);
  const own = import.meta.url.split('?')[0]!;
  const script = fileURLToPath(new URL(own.endsWith('.ts') ? './supervise.ts' : './supervise.js', own));
  const child = spawn(process.execPath, [script, planFile(home)], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  closeSync(log);
  // Written now, because until the supervisor does it itself, another process could conclude that there is none.
  if (child.pid !== undefined) writePlan(planFile(home), { ...plan, pid: child.pid });
}

/** Succeeds when the address answers with a 2xx. */
const ask = 'fetch(process.argv[1]).then((r) => process.exit(r.ok ? 0 : (console.log(r.status), 1)))';

/**
 * The command that checks the host's health: the one in the settings, else a request to the running host's health route
 * if it has one, else a check that its service is active.
 */
function healthCommand({ health, service }: SelfConfig, home: string): readonly string[] {
  const check = health ?? routeInService(home) ?? ['systemctl', 'is-active', '--quiet', service];
  return typeof check === 'string' ? [process.execPath, '-e', ask, check] : check;
}

/** The health URL that a host with an HTTP server records in its lock file. */
function routeInService(home: string): string | undefined {
  try {
    const { health } = JSON.parse(readFileSync(join(home, 'data/host.lock'), 'utf8')) as { health?: string };
    return health;
  } catch {
    return undefined;
  }
}
