import { thisPlatform } from './this-platform.ts';

/** Something that this system lacks, and what holds instead. docs/platforms.md has the same rows. */
export interface Shortcoming {
  readonly about:
    | 'sandbox'
    | 'permissions'
    | 'processes'
    | 'limits'
    | 'links'
    | 'locks'
    | 'service'
    | 'file names';
  readonly what: string;
}

const withoutProc: readonly Shortcoming[] = [
  {
    about: 'processes',
    what: 'a process that leaves its process group is not found, and may outlive its command',
  },
  { about: 'limits', what: 'memory and the number of processes of a command are not limited, only its time' },
  {
    about: 'links',
    what: 'a folder that is swapped for a link while a file is being opened may lead outside',
  },
];

const shortcomings: { readonly [platform: string]: readonly Shortcoming[] } = {
  linux: [],
  darwin: withoutProc,
  win32: [
    { about: 'sandbox', what: 'there is no sandbox: commands that must run in one are refused' },
    {
      about: 'permissions',
      what: 'files have no modes: keep the home in a folder that only you can open, such as your user folder',
    },
    { about: 'processes', what: 'a process is ended at once, without a signal on which it could tidy up' },
    ...withoutProc.filter(({ about }) => about !== 'processes'),
    {
      about: 'locks',
      what: 'a lock left by a crash stays as long as another process has its process id; the message names the file to delete',
    },
    {
      about: 'service',
      what: 'Pegboard cannot install itself as a service: use Task Scheduler, or WSL 2 with systemd',
    },
    { about: 'file names', what: 'names such as "a:b", "con" and "end." are refused' },
  ],
};

/** What does not work on this system. A system that Pegboard doesn't know has what every Unix has. */
export const shortcomingsOf = (platform: NodeJS.Platform = thisPlatform): readonly Shortcoming[] =>
  shortcomings[platform] ?? withoutProc;
