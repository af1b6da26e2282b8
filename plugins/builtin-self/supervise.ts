/**
 * `node supervise.ts PLAN`: restarts the host with the checked-out version, checks its health, and otherwise rolls
 * back. Imports nothing of the host, because the new version must not decide. A second process does the work, so that
 * either of the two can be killed; if both are, the next host resumes the deploy.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isOver, readPlan, writePlan, type DeployPlan } from './deploy-plan.ts';
import { restoreDatabase, restoreFiles, versionOf } from './rollback.ts';
import { failureOfCommand, logFailureOf, log, findHealthProblem } from './supervised-host.ts';

/** Maximum number of supervisors for one deploy. */
const maxAttempts = 6;
/** During a rollback. */
const maxRestarts = 3;
/** Seconds for a process that reports the outcome. */
const reportTimeoutSeconds = 180;

const [, script, file, role] = process.argv as [string, string, string, string?];

if (role === 'worker') await work();
else
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { status } = spawnSync(process.execPath, [script, file, 'worker'], { stdio: 'inherit' });
    if (status === 0) break;
    log(`the supervisor ended with ${status ?? 'a signal'}; another one continues`);
  }

async function work(): Promise<void> {
  let plan = readPlan(file);
  if (!plan) return;
  if (isOver(plan)) return await reportUnlessReported(plan);
  const note = (changes: Partial<DeployPlan>): DeployPlan => {
    plan = { ...plan!, ...changes };
    logFailureOf('the state of the deploy could not be written', () => writePlan(file, plan!));
    return plan;
  };
  const { databaseVersion = versionOf(plan.home), attempts, tag } = plan;
  plan = note({
    pid: process.pid,
    attempts: attempts + 1,
    ...(databaseVersion !== undefined && { databaseVersion }),
  });
  if (plan.attempts > maxAttempts) {
    note({ state: 'lost', why: 'the deploy was interrupted again and again' });
    return await reportUnlessReported(plan);
  }
  if (plan.state === 'begun') {
    log(`restarting; back to ${tag} if it is unhealthy`);
    const wrong = failureOfCommand('the restart', plan.restart, plan) ?? (await findHealthProblem(plan));
    if (wrong === undefined) {
      rmSync(plan.reserve, { force: true });
      log(tagInService(plan, plan.tried) ?? 'the new version is healthy');
      note({ state: 'well' });
      return await reportUnlessReported(plan);
    }
    log(`the new version is unhealthy (${wrong}); rolling back`);
    plan = note({ state: 'going back', why: wrong });
  }
  const failed = await goBack(plan);
  if (failed === undefined) logFailureOf('the tag', () => void tagInService(plan!, plan!.good));
  log(failed === undefined ? `${tag} is running again` : `${tag} is unhealthy too: ${failed}`);
  note(
    failed === undefined
      ? { state: 'back' }
      : { state: 'lost', why: `${plan.why}; the rollback failed too: ${failed}` },
  );
  await reportUnlessReported(plan);
}

function tagInService(plan: DeployPlan, commit: string): string | undefined {
  return failureOfCommand('git tag', ['git', 'tag', '-f', 'in-service', commit], plan);
}

/** A healthy host reports the outcome. Without one, the files of the good version are used once to report it. */
async function reportUnlessReported(plan: DeployPlan): Promise<void> {
  const until = Date.now() + plan.healthWithin * 1000;
  while (Date.now() < until) {
    if (readPlan(file)?.reported) return;
    await delay(250);
  }
  if (readPlan(file)?.reported) return;
  log('no host has reported the outcome; reporting it now');
  log(
    failureOfCommand('the report', plan.reportCommand, { ...plan, commandLimit: reportTimeoutSeconds }) ??
      'the outcome is reported',
  );
}

/**
 * Returns why the previous version doesn't run. It gets more time than the new one, because there is no further
 * fallback.
 */
async function goBack(given: DeployPlan): Promise<string | undefined> {
  const plan = {
    ...given,
    commandLimit: given.commandLimit * 2,
    healthWithin: given.healthWithin * 3,
  };
  rmSync(plan.reserve, { force: true });
  const files = restoreFiles(plan);
  if (files !== undefined) log(files);
  logFailureOf('the database could not be restored', () => restoreDatabase(plan));
  let restart: string | undefined;
  for (let attempt = 0; attempt < maxRestarts; attempt++) {
    restart = failureOfCommand('the restart', plan.restart, plan);
    if (restart === undefined) break;
    log(`${restart}; trying again`);
  }
  // If nothing can be restarted, the process that ran all along is the previous version.
  const well = await findHealthProblem(plan);
  return files ?? (well === undefined ? undefined : [restart, well].filter(Boolean).join('; '));
}
