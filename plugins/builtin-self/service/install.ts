import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pegboard } from 'pegboard';
import { writeFileAtomically } from 'pegboard/kit';
import { type Context, oneLine } from 'pegboard/terminal';
import type { ServiceManager } from './manager.ts';
import type { ServicePlan } from './service-file.ts';

/** Also replaces the service of this home, so that it can be repeated after every change. */
export async function installService(
  manager: ServiceManager,
  plan: ServicePlan,
  { home, terminal }: Pick<Context, 'home' | 'terminal'>,
): Promise<void> {
  const file = manager.fileOf(plan.name);
  await manager.check();
  // A service can't start in a folder that isn't there.
  await mkdir(join(home, 'data'), { recursive: true, mode: 0o700 });
  await mkdir(dirname(file), { recursive: true });
  await writeFileAtomically(file, manager.describe(plan), 0o644);
  await manager.start(plan.name);
  const { out } = terminal;
  out.line(`${out.style.good('installed')} ${plan.name}: ${oneLine(file)}`);
  const { state, running } = await manager.state(plan.name);
  const logs = `\`${pegboard} service logs\``;
  out.line(`It is ${state}. ${running ? `${logs} shows what it prints.` : `See ${logs}.`}`);
  const advice = await manager.advice();
  if (advice !== undefined) out.line(advice);
}
