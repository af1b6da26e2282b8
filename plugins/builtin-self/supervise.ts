/**
 * `node supervise.ts PLAN`: restarts the host on what is checked out, looks whether it is well, and otherwise goes back
 * to the version before. Imports nothing of the host: what is being tried out must not decide. The work is done by a
 * second process, so that one of the two can be killed; when both are, the next host has it taken up again.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isOver, readPlan, writePlan, type DeployPlan } from './deploy-plan.ts';
import { restoreDatabase, restoreFiles, versionOf } from './go-back.ts';
import { failureOfCommand, noteWhatIsWrong, say, staysWell } from './supervised-host.ts';

/** Processes that may take their turn, before somebody has to look. */
const maxAttempts = 6;
/** Of the restart on the way back. */
const maxRestarts = 3;
/** Seconds for a process that tells how it went. */
const tellTimeoutSeconds = 180;

const [, script, file, role] = process.argv as [string, string, string, string?];

if (role === 'worker') await work();
else
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { status } = spawnSync(process.execPath, [script, file, 'worker'], { stdio: 'inherit' });
    if (status === 0) break;
    say(`the supervisor ended with ${status ?? 'a signal'}; another one goes on`);
  }

async function work(): Promise<void> {
  let plan = readPlan(file);
  if (!plan) return;
  if (isOver(plan)) return await tellUnlessTold(plan);
  const note = (changes: Partial<DeployPlan>): DeployPlan => {
    plan = { ...plan!, ...changes };
    noteWhatIsWrong('the state of the deploy could not be written', () => writePlan(file, plan!));
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
    return await tellUnlessTold(plan);
  }
  if (plan.state === 'begun') {
    say(`restarting; back to ${tag} if it is not well`);
    const wrong = failureOfCommand('the restart', plan.restart, plan) ?? (await staysWell(plan));
    if (wrong === undefined) {
      rmSync(plan.reserve, { force: true });
      say(tagInService(plan, plan.tried) ?? 'the new version is well');
      note({ state: 'well' });
      return await tellUnlessTold(plan);
    }
    say(`the new version is not well (${wrong}); going back`);
    plan = note({ state: 'going back', why: wrong });
  }
  const failed = await goBack(plan);
  if (failed === undefined) noteWhatIsWrong('the tag', () => void tagInService(plan!, plan!.good));
  say(failed === undefined ? `${tag} is in service again` : `${tag} is not well either: ${failed}`);
  note(
    failed === undefined
      ? { state: 'back' }
      : { state: 'lost', why: `${plan.why}. The way back failed too: ${failed}` },
  );
  await tellUnlessTold(plan);
}

function tagInService(plan: DeployPlan, commit: string): string | undefined {
  return failureOfCommand('git tag', ['git', 'tag', '-f', 'in-service', commit], plan);
}

/** A host that is well tells it. Where none does, the files of the good version are there to do it once. */
async function tellUnlessTold(plan: DeployPlan): Promise<void> {
  const until = Date.now() + plan.healthWithin * 1000;
  while (Date.now() < until) {
    if (readPlan(file)?.told) return;
    await delay(250);
  }
  if (readPlan(file)?.told) return;
  say('no host has said how it went; saying it now');
  say(
    failureOfCommand('telling it', plan.tell, { ...plan, commandLimit: tellTimeoutSeconds }) ?? 'it is said',
  );
}

/** Returns why the version before is not in service. It gets more time than the new one: there is nothing after it. */
async function goBack(given: DeployPlan): Promise<string | undefined> {
  const plan = {
    ...given,
    commandLimit: given.commandLimit * 2,
    healthWithin: given.healthWithin * 3,
  };
  rmSync(plan.reserve, { force: true });
  const files = restoreFiles(plan);
  if (files !== undefined) say(files);
  noteWhatIsWrong('the database could not be put back', () => restoreDatabase(plan));
  let restart: string | undefined;
  for (let attempt = 0; attempt < maxRestarts; attempt++) {
    restart = failureOfCommand('the restart', plan.restart, plan);
    if (restart === undefined) break;
    say(`${restart}; trying again`);
  }
  // Where nothing can be restarted, the process that ran all along is the version before.
  const well = await staysWell(plan);
  return files ?? (well === undefined ? undefined : [restart, well].filter(Boolean).join('; '));
}
