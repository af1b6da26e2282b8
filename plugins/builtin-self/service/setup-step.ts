import { PegboardError } from 'pegboard';
import { choose, type MenuItem, type SetupPlace, type SetupStep } from 'pegboard/terminal';
import { installService } from './install.ts';
import { serviceManager, type ServiceManager } from './manager.ts';
import { planService } from './service-file.ts';

/** Installs a service that runs the host in the background. Asked about only where the system has one. */
export const setUpService: SetupStep = async (place) => {
  const { options, asks, host, terminal } = place;
  const isGiven = options.flag('service');
  if (!isGiven && !asks) return 'skipped';
  const manager = isGiven ? await serviceManager(host.surroundings) : await presentManager(place);
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
};

async function presentManager({ host }: SetupPlace): Promise<ServiceManager | undefined> {
  try {
    const manager = await serviceManager(host.surroundings);
    await manager.check();
    return manager;
  } catch (cause) {
    if (cause instanceof PegboardError) return undefined;
    throw cause;
  }
}
