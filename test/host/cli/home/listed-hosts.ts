import { expect } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';

interface Listed {
  readonly state: string;
  readonly hosts: readonly {
    readonly id: string;
    readonly live: boolean;
    readonly roles: readonly string[];
    readonly files?: string;
  }[];
  readonly queues: readonly {
    readonly name: string;
    readonly waiting: number;
    readonly later: number;
    readonly oldestSeconds: number;
  }[];
}

export const listed = (home: string): Promise<Listed> => pegboardJson(['hosts'], { home });

/** One job waits and one is for later, as `leaveJobs` leaves them. */
export async function expectLetters(home: string): Promise<void> {
  const [letters] = (await listed(home)).queues.filter(({ name }) => name === 'letters');
  expect(letters).toMatchObject({ waiting: 1, later: 1, running: 0, dead: 0 });
  expect(letters!.oldestSeconds).toBeGreaterThanOrEqual(130);
  const { stdout, stderr } = await pegboard(['hosts'], { home });
  expect(stdout).toMatch(
    /QUEUE +WAITING +LATER +RUNNING +DEAD +OLDEST\n(.*\n)*letters +1 +1 +0 +0 +\d+ min \d+ s\n/,
  );
  expect(stderr).toContain('No host runs.');
}
