import { PegboardError, type Surroundings } from 'pegboard';
import { docsPage, pegboardAnywhere, thisPlatform } from 'pegboard/kit';
import type { ServicePlan } from './service-file.ts';

/** What a service manager says about a service. */
interface ServiceState {
  /** In its own words: "active (running)". */
  readonly state: string;
  readonly running: boolean;
  readonly pid?: number | undefined;
}

/** Runs a program in the background, for one user, and starts it again. */
export interface ServiceManager {
  readonly title: 'systemd' | 'launchd';
  /** The file of the service with this name. */
  fileOf(name: string): string;
  /** The text of that file. */
  describe(plan: ServicePlan): string;
  /** Throws PEG_USAGE, with what to do, where the manager doesn't run. */
  check(): Promise<void>;
  /** Starts what its file says, now and from then on. Throws PEG_COMMAND_FAILED. */
  start(name: string): Promise<void>;
  /** Stops it, now and from then on. Not an error when it doesn't run. */
  stop(name: string): Promise<void>;
  /** The commands with which a person stops it for a while, and starts it again. */
  byHand(name: string): { readonly stop: string; readonly start: string };
  /** Call it when the file was removed. */
  forget(): Promise<void>;
  state(name: string): Promise<ServiceState>;
  /** The program that prints the last lines of its output. */
  logs(
    service: { readonly name: string; readonly home: string },
    follow: boolean,
  ): readonly [string, ...string[]];
  /** What keeps it from running after the user has logged out, with what to do. */
  advice(): Promise<string | undefined>;
}

/** The service manager of this system. Throws PEG_USAGE, with what to do instead, where there is none. */
export async function serviceManager(
  surroundings: Surroundings,
  platform: NodeJS.Platform = thisPlatform,
): Promise<ServiceManager> {
  switch (platform) {
    case 'linux':
      return (await import('./systemd.ts')).systemd(surroundings);
    case 'darwin':
      return (await import('./launchd.ts')).launchd(surroundings);
    case 'win32':
      throw new PegboardError(
        'PEG_USAGE',
        `Pegboard has no service for Windows yet. Create a task in Task Scheduler that runs "${pegboardAnywhere()} start" when you log on (${docsPage('service.md')} shows the command), or run it in WSL 2 with systemd.`,
      );
    default:
      throw new PegboardError(
        'PEG_USAGE',
        `Services are supported with systemd on Linux and launchd on macOS, and this is ${platform}. Let the service manager of this system run "${pegboardAnywhere()} start".`,
      );
  }
}
