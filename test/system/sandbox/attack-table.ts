/** One way to get out of a sandbox. */
export interface Attack {
  readonly name: string;
  /** In bash, in the workspace of the space `work`; `proj` in it is a repository with a manifest and hooks. */
  readonly command: string;
  /**
   * How to detect success: a path in the workspace, or from `~` in the home, that contains "evil" afterwards; or "got
   * it" in the command's output.
   */
  readonly shownBy: { readonly file: string } | 'output';
  /** Why it can't work without a sandbox either, for example for an ordinary user, so that there is no control run. */
  readonly needsRoot?: boolean;
}

const write = (name: string, command: string, file: string): Attack => ({ name, command, shownBy: { file } });
const print = (name: string, command: string, more: Partial<Attack> = {}): Attack => ({
  name,
  command,
  shownBy: 'output',
  ...more,
});

const perlCall = (number: number | undefined, rest: string): string =>
  `perl -e 'print "got it" if syscall(${number}, ${rest}) >= 0'`;
const calls = process.arch === 'arm64' ? { addKey: 217, ioUring: 425 } : { addKey: 248, ioUring: 425 };

export const attacks: readonly Attack[] = [
  write(
    'change a hook of a repository',
    'echo evil > proj/.git/hooks/pre-commit',
    'proj/.git/hooks/pre-commit',
  ),
  write('change the configuration of a repository', 'echo evil >> proj/.git/config', 'proj/.git/config'),
  write(
    'swap the folder of a repository for a copy',
    'cd proj; mv .git g1; cp -r g1 g2; echo evil > g2/hooks/pre-commit; mv g2 .git',
    'proj/.git/hooks/pre-commit',
  ),
  write(
    'swap the folder above a repository for a copy',
    'mv proj p1; cp -r p1 p2; echo evil > p2/.git/hooks/pre-commit; mv p2 proj',
    'proj/.git/hooks/pre-commit',
  ),
  write(
    'swap a folder further above',
    'mv deep d1; cp -r d1 d2; echo evil > d2/er/.git/hooks/pre-commit; mv d2 deep',
    'deep/er/.git/hooks/pre-commit',
  ),
  write(
    'remove a repository and make another',
    'rm -rf proj/.git; mkdir -p proj/.git; echo evil > proj/.git/config',
    'proj/.git/config',
  ),
  write('change a package manifest', 'echo evil > proj/package.json', 'proj/package.json'),
  write(
    'rename a file over a package manifest',
    'echo evil > proj/new; mv -f proj/new proj/package.json',
    'proj/package.json',
  ),
  write(
    'plant a package',
    'mkdir -p proj/node_modules/left; echo evil > proj/node_modules/left/index.js',
    'proj/node_modules/left/index.js',
  ),
  write(
    'replace a link to what agents obey',
    'rm proj/AGENTS.md; echo evil > proj/AGENTS.md',
    'proj/AGENTS.md',
  ),
  write(
    'point a link to what agents obey elsewhere',
    'echo evil > proj/new; ln -sf new proj/AGENTS.md',
    'proj/AGENTS.md',
  ),
  ...[
    '.git/config',
    '.hg/hgrc',
    '.vscode/tasks.json',
    '.idea/x',
    '.husky/pre-commit',
    '.envrc',
    '.mcp.json',
    '.claude/settings.json',
  ].map((file) =>
    write(`make ${file}, which is not there yet`, `mkdir -p $(dirname ${file}); echo evil > ${file}`, file),
  ),
  ...[
    'HEAD',
    'package.json',
    'GNUmakefile',
    'Cargo.toml',
    '.bashrc',
    'AGENTS.md',
    'evil.mk',
    'node_modules/x/index.js',
  ].map((file) =>
    write(`make ${file}, which is not there yet`, `mkdir -p $(dirname ${file}); echo evil > ${file}`, file),
  ),
  ...['GNUmakefile', '.vscode/tasks.json', 'node_modules/.bin/tool', 'yarn.lock', 'vite.config.ts'].map(
    (file) =>
      write(
        `make ${file} in a project`,
        `mkdir -p proj/$(dirname ${file}); echo evil > proj/${file}`,
        `proj/${file}`,
      ),
  ),
  ...[
    'spaces/work/hooks/check.sh',
    'spaces/work/agent/tools/evil.yaml',
    'spaces/work/agents/evil.yaml',
    'spaces/work/space.manifest.json',
    'spaces/evil/agent/agent.yaml',
    'plugins/evil/index.ts',
    'pegboard.yaml',
    '.mcp.json',
    '.env',
    'node_modules/evil/index.js',
    'package.json',
    'notes.txt',
    'data/state.json',
    'spaces/other/workspace/notes.md',
  ].map((file) =>
    write(
      `write ${file} of the home`,
      `mkdir -p $(dirname $PEG/${file}); echo evil > $PEG/${file}`,
      `~/${file}`,
    ),
  ),
  write('write where a link leads', 'ln -s $PEG/pegboard.yaml l; echo evil > l', '~/pegboard.yaml'),
  write('write where a hard link leads', 'ln $PEG/pegboard.yaml h; echo evil > h', '~/pegboard.yaml'),
  write(
    'write through the root of another process',
    'echo evil > /proc/1/root$PEG/pegboard.yaml; echo evil > /proc/$HOST_PID/root$PEG/pegboard.yaml',
    '~/pegboard.yaml',
  ),
  write(
    'write through the working folder of another process',
    'echo evil > /proc/1/cwd/$PEG/pegboard.yaml; echo evil > /proc/$PPID/root$PEG/pegboard.yaml',
    '~/pegboard.yaml',
  ),
  write(
    'mount the home anew',
    'mount -o remount,rw,bind $PEG; umount -l $PEG; echo evil > $PEG/pegboard.yaml',
    '~/pegboard.yaml',
  ),
  write(
    'get rights in a namespace of its own',
    `unshare -Urm sh -c 'mount -o remount,rw,bind / ; umount -l '$PEG'; echo evil > '$PEG'/pegboard.yaml'`,
    '~/pegboard.yaml',
  ),
  write(
    'enter the namespaces of another process',
    'nsenter -t 1 -m sh -c "echo evil > $PEG/pegboard.yaml" || echo evil > $PEG/pegboard.yaml',
    '~/pegboard.yaml',
  ),

  print('make a namespace', 'unshare -U true && echo got it'),
  print("read Pegboard's data", 'grep -q private $PEG/data/private.txt && echo got it'),
  print("read the user's state", 'grep -q private $XDG_STATE/pegboard/approved.json && echo got it'),
  print('see the host', 'kill -0 $HOST_PID && echo got it'),
  print('read the environment of the host', 'cat /proc/$HOST_PID/environ >/dev/null && echo got it'),
  print('list the descriptors of the host', 'ls /proc/$HOST_PID/fd | grep -q . && echo got it'),
  print('reach a port of this machine', '(exec 3<>/dev/tcp/127.0.0.1/$PORT) && echo got it'),
  print(
    'reach a socket in a folder',
    `"$NODE" -e 'require("net").connect(process.env.SOCKET,()=>{console.log("got it");process.exit()})'`,
  ),
  print(
    'reach an abstract socket',
    `"$NODE" -e 'require("net").connect("\\0"+process.env.ABSTRACT,()=>{console.log("got it");process.exit()})'`,
  ),
  print('read shared memory', 'grep -q private /dev/shm/$SHARED && echo got it'),
  print(
    'add a key to the keyring of the session',
    perlCall(calls.addKey, 'my $type = "user", my $name = "pegboard-test", my $key = "x", 1, -3'),
  ),
  print(
    'type into the terminal',
    `perl -e 'my $c = "x"; ioctl(STDOUT, 0x5412, $c); print "got it" if $!{ENOTTY} || $!{EIO} || !$!'`,
  ),
  print(
    'use calls that no filter sees',
    `perl -e 'syscall(${calls.ioUring}, 0, 0); print "got it" unless $!{ENOSYS}'`,
  ),
  print('make a file that runs as its owner', 'echo x > s; chmod u+s s; [ -u s ] && echo got it'),
  print(
    'make a file that runs as its group',
    `perl -e 'use Fcntl; sysopen(F, "g", O_CREAT|O_WRONLY, 02755)'; [ -g g ] && echo got it`,
  ),
  print(
    'change a setting of the kernel',
    'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern && echo got it',
    { needsRoot: true },
  ),
  print(
    'make a control group',
    'd=$(ls -d /sys/fs/cgroup/unified /sys/fs/cgroup 2>/dev/null | head -1)/peg-test; mkdir $d && rmdir $d && echo got it',
    { needsRoot: true },
  ),
  print('make a device', 'mknod d b 7 200 && echo got it', { needsRoot: true }),
  print('have rights of root', `grep -q 'CapEff:.*[1-9a-f]' /proc/self/status && echo got it`, {
    needsRoot: true,
  }),
];
