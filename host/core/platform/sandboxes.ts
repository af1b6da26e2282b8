import { thisPlatform } from './this-platform.ts';

/** The sandbox program of a system, with a minimal test command. */
export interface SandboxProgram {
  readonly name: string;
  readonly kind: 'bubblewrap' | 'seatbelt';
  readonly argv: readonly string[];
  readonly missing: string;
}

const programs: { readonly [platform: string]: SandboxProgram } = {
  linux: {
    name: 'bubblewrap',
    kind: 'bubblewrap',
    argv: (
      'bwrap --unshare-user-try --unshare-pid --unshare-ipc --unshare-uts --unshare-net --ro-bind / / --dev /dev ' +
      '--proc /proc --remount-ro /proc --perms 0555 --tmpfs /tmp -- true'
    ).split(' '),
    missing: 'bubblewrap is not installed here (apt install bubblewrap, dnf install bubblewrap)',
  },
  darwin: {
    name: 'sandbox-exec',
    kind: 'seatbelt',
    argv: ['sandbox-exec', '-p', '(version 1)(allow default)', '/usr/bin/true'],
    missing: 'sandbox-exec, which comes with macOS, is not in PATH',
  },
};

/** Undefined where no sandbox is supported. */
export const sandboxProgram = (platform: NodeJS.Platform = thisPlatform): SandboxProgram | undefined =>
  programs[platform];
