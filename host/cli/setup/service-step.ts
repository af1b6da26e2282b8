import type { Host } from '../../host.ts';
import { PegboardError } from '../../core/errors.ts';
import { installService } from '../service/install.ts';
import { serviceManager, type ServiceManager } from '../service/manager.ts';
import { planService } from '../service/service-file.ts';
import { choose, type MenuItem } from '../terminal/choose.ts';
import type { SetupPlace, StepEnd } from './step.ts';

/** Installs a service that runs the host in the background. Asked about only where the system has one. */
export async function setUpService(place: SetupPlace): Promise<StepEnd> {
  const { options, asks, host, terminal } = place;
  const isGiven = options.flag('service');
  if (!isGiven && !asks) return 'skipped';
  const manager = isGiven ? await serviceManager(host.surroundings) : await presentManager(host);
  if (!manager) return 'skipped';
  const items: MenuItem<boolean>[] = [
    { value: true, label: `Yes, with ${manager.title}`, hint: 'it starts with your session' },
    { value: false, label: 'Not now' },
  ];
  if (!isGiven && !(await choose('Keep it running in the background?', items, place))?.value)
    return 'skipped';
  await installService(manager, planService(host.home, undefined, host.surroundings), {
    home: host.home,
    terminal,
  });
  return 'done';
}

async function presentManager({ surroundings }: Host): Promise<ServiceManager | undefined> {
  try {
    const manager = await serviceManager(surroundings);
    await manager.check();
    return manager;
  } catch (cause) {
    if (cause instanceof PegboardError) return undefined;
    throw cause;
  }
}
