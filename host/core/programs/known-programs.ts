/** Programs that evaluate their arguments as code, or store them for later evaluation: no value may be an argument. */
export const evaluators =
  /^(eval|source|\.|trap|alias|let|declare|typeset|unset|read|mapfile|readarray|getopts|builtin|enable|bind|complete|compgen|hash|fc|wait|jobs|shopt|set|ssh|rsh|mosh|pssh|pdsh|su|sg|newgrp|runuser|script|watch|watchexec|entr|nodemon|hyperfine|parallel|crontab|at|batch|screen|dtach|abduco|socat|expect|gdb|lldb|g?make|m4|cmd(\.exe)?|n?vim?|view|vimdiff|ex|red?|ed|emacs(client)?|nano|autossh|ansible|wsl(\.exe)?|wine(64)?|proot|concurrently|npm-run-all|run-[ps]|ld-linux.*|ld\.so.*|ld-musl.*|([xu]?rx?v?term|x-terminal-emulator|gnome-terminal|konsole|xfce4-terminal|kitty|alacritty|foot|wezterm|terminator|tilix|st))$/;
/** Those that read commands from standard input without being asked to. */
export const readsCommands =
  /^(ssh|rsh|autossh|mosh|su|runuser|sg|newgrp|at|batch|crontab|parallel|gdb|lldb|m4|ex|n?vim?|red?|ed|socat|cmd(\.exe)?|wsl(\.exe)?|script)$/;
/** Names of standard input as a file of program text: `-`, `/dev/stdin`, `/dev/fd/0`. */
export const standardInputFile = /^(-|\/dev\/(stdin|fd\/\d+)|\/proc\/(self|\$\$)\/fd\/\d+)$/;

export const variableSetters = /^(export|readonly|local)$/;

/**
 * `printf -v NAME`, `test -v NAME`, `[ -R NAME ]`: the argument names a variable, and a subscript in it is evaluated.
 */
export const variableTesters = { programs: /^(printf|test|\[)$/, option: /^-[vR]/ } as const;

export interface Wrapper {
  /** Options that take the next word. */
  readonly options: RegExp;
  /** Number of its own arguments before the program. */
  readonly operands: number;
}
const none = /^$/;

/** Programs that run the program that follows them. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  env: { options: /^-[uCS]$/, operands: 0 },
  sudo: { options: /^-[CDghpRrTtUu]$/, operands: 0 },
  doas: { options: /^-[Cu]$/, operands: 0 },
  nohup: { options: none, operands: 0 },
  nice: { options: /^-n$/, operands: 0 },
  ionice: { options: /^-[cnp]$/, operands: 0 },
  timeout: { options: /^-[ks]$/, operands: 1 },
  gtimeout: { options: /^-[ks]$/, operands: 1 },
  time: { options: /^-[fo]$/, operands: 0 },
  stdbuf: { options: /^-[ioe]$/, operands: 0 },
  setsid: { options: none, operands: 0 },
  command: { options: none, operands: 0 },
  exec: { options: /^-a$/, operands: 0 },
  xargs: { options: /^-[adEILnPs]$/, operands: 0 },
  chroot: { options: none, operands: 1 },
  flock: { options: /^-[wE]$/, operands: 1 },
  strace: { options: /^-[abeEIoOpPsSuX]$/, operands: 0 },
  busybox: { options: none, operands: 0 },
  npx: { options: /^-[pc]$/, operands: 0 },
  bunx: { options: none, operands: 0 },
  uvx: { options: /^--?(from|with|python|p)$/, operands: 0 },
  pipx: { options: none, operands: 1 },
  nsenter: { options: /^-[tSG]$/, operands: 0 },
  unshare: { options: none, operands: 0 },
  sshpass: { options: /^-[pfdP]$/, operands: 0 },
  caffeinate: { options: /^-[tw]$/, operands: 0 },
};
/** Wrappers that accept `NAME=value` before the program to set a variable. */
export const settingWrappers = /^(env|sudo|doas)$/;

export const interpreters =
  /^((ba|da|z|k|mk|a|fi|c|tc|ya)?sh|python[\d.]*|pypy3?|perl|ruby|node|deno|bun|tsx|ts-node|php|lua(jit)?|Rscript|osascript|pwsh|powershell|tclsh|psql|mysql|mariadb|sqlite3|duckdb|mongosh|go|java|elvish|nu|xonsh|ion|rc|es|scsh|guile|racket|julia|elixir|iex|erl|ghci|runghc|scala|kotlin|groovy|clojure|bb|octave|R|raku|crystal|swift|jshell)$/;
/** `deno run SCRIPT`: a subcommand comes before the script. */
export const interpretersWithSubcommand = /^(deno|bun|go|java)$/;
/** Options whose next word is data. */
export const dataOptions: Readonly<Record<string, RegExp>> = { go: /^-(run|skip|bench|count|timeout)$/ };
export const databases = /^(sqlite3|duckdb|psql|mysql|mariadb|mongosh)$/;
/** Programs that read program text from standard input even with an operand. */
export const readsStandardInput = /sql|duckdb|mongosh/;
/** The next word is program text, or a file that contains it. */
export const codeOption =
  /^(-[a-zA-Z]*[cerpEFf]|--(eval|print|command|execute|expression|require|import|init-file|rcfile|file|module))$/;
/** `perl -n` and `-p` open "command|" as a pipe. */
export const perlLoop = /^-[a-zA-Z0-9]*[np]/;

export interface ProgramFirst {
  /** Options that take the next word. */
  readonly options: RegExp;
  /** Options whose next word is program text. */
  readonly programs: RegExp;
}
/** Programs whose first operand is program text. */
export const programFirst: Readonly<Record<string, ProgramFirst>> = {
  awk: { options: /^-[vF]$/, programs: /^(-[fei]|--(file|source|include))$/ },
  sed: { options: /^-[l]$/, programs: /^(-[a-zA-Z]*[ef]|--(expression|file))$/ },
  jq: { options: /^(--indent|-L|--tab)$/, programs: /^(-f|--from-file)$/ },
  yq: { options: /^-[opI]$/, programs: /^(--from-file|--expression)$/ },
  bc: { options: none, programs: /^.$/ },
  dc: { options: none, programs: /^-[ef]$/ },
};
/** `jq --arg NAME VALUE`: always data. */
export const jqData = /^--(arg|argjson|slurpfile|rawfile)$/;

/** Variables that select code to run, or the places that programs read from and write to. */
export const dangerousVariable =
  /^(PATH|IFS|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|BASH_FUNC.*|PS[0-4]|PROMPT_COMMAND|LD_.*|DYLD_.*|.*_OPTIONS|.*OPTS?|NODE_.*|PYTHON.*|PERL.*|RUBY.*|GEM_.*|GIT_.*|SSH_.*|.*EDITOR|VISUAL|.*PAGER|BROWSER|LESS.*|HOME|SHELL|TMPDIR|CDPATH|GLOBIGNORE|.*_COMMAND|MAKEFLAGS|MFLAGS|GREP_.*|TERMINFO.*|XDG_.*|.*_PROXY|AWKPATH|R_.*|.*_CONFIG.*)$/i;

/** Options of many programs (rsync, tar, git, curl …) that name a program to run. */
export const programOption =
  /^(--(rsh|to-command|checkpoint-action|use-compress-program|exec|eval|upload-pack|receive-pack|rsync-path|pager|editor|init-command|preprocessor|ssh-command|open-files-in-pager|compress-program|use-askpass|unzip-command|pre|strip-program|info-script|new-volume-script|rmt-command|rsh-command|hostname-bin|exec-path|config-env|extcmd|ssh-program|password-command|passwordeval))(=|$)/;
/** Options that mean something else to other programs, or that only these have. */
export const programOptionsOf: Readonly<Record<string, RegExp>> = {
  tar: /^(-I|-F)/,
  rsync: /^-e/,
  split: /^--filter(=|$)/,
  scp: /^-[SoDF]/,
  sftp: /^-[SoDF]/,
  curl: /^(-K|--config(=|$))/,
  wget: /^(-e|--(execute|config)(=|$))/,
  zip: /^(-TT|--unzip-command)/,
  ...sameFor(
    'gcc g++ cc c++ clang clang++ rustc',
    /^(-wrapper|-f(pass-)?plugin|-specs|-B|-Xclang|-Clinker|-C)/,
  ),
  ...sameFor(
    'apt apt-get apt-cache aptitude dpkg',
    /^(-[oc]|--(option|config-file)(=|$)|--(pre|post)-invoke)/,
  ),
  ...sameFor('nc ncat netcat', /^(-[ec]|--(sh-exec|lua-exec)(=|$))/),
  ...sameFor('docker podman nerdctl', /^--(entrypoint|health-cmd|init-path|runtime|hooks-dir|conmon)(=|$)/),
  fzf: /^--(preview|bind|with-shell)(=|$)/,
  tcpdump: /^-z/,
  exiftool: /^-(if|config|p|execute|@)/,
  pandoc: /^(-[FLtw]|--(filter|lua-filter|pdf-engine|pdf-engine-opt|to|write|defaults|template)(=|$))/,
  restic: /^(-o|--(option|password-command)(=|$))/,
  hg: /^--(config|cwd|repository)(=|$)/,
  svn: /^--config-(option|dir)(=|$)/,
  cargo: /^--config(=|$)/,
  mutt: /^-[eF]/,
  msmtp: /^--(passwordeval|file)(=|$)/,
  aria2c: /^--(on-[\w-]+|conf-path)(=|$)/,
  pylint: /^--(init-hook|load-plugins|rcfile)(=|$)/,
  mypy: /^--(config-file|python-executable)(=|$)/,
  ...sameFor('gpg gpg2', /^--(photo-viewer|[\w-]+-program|options|homedir)(=|$)/),
  openssl: /^(engine|-(engine|provider|provider-path|config))$/,
  cmake: /^(-P|-E|-C)/,
  ...sameFor(
    'eslint prettier stylelint',
    /^(-[cp]|--(config|rulesdir|plugin|parser|resolve-plugins-relative-to|format)(=|$))/,
  ),
  ...sameFor('pytest py.test', /^(-[pco]|--(override-ini|rootdir|confcutdir|config-file)(=|$))/),
  ...sameFor(
    'mocha rspec jest vitest ava tap',
    /^(-[rIc]|--(require|import|loader|config|file|reporter|ui|setupFiles\w*)(=|$))/,
  ),
  man: /^(-[PHC]|--(pager|html|config-file)(=|$))/,
  ...sameFor('less more most', /^(-[kP]|--(lesskey\w*))/),
  sqlmap: /^--(eval|os-cmd)/,
  ...sameFor(
    'yt-dlp youtube-dl',
    /^(--(exec|external-downloader|downloader|config-locations?|plugin-dirs|netrc-cmd)(=|$))/,
  ),
  ...sameFor('ffmpeg ffprobe', /^-(init_hw_device|dump_attachment)/),
  ...sameFor('strip objcopy ld ar nm', /^--plugin(=|$)/),
};

/** Options of git's commands that name a program; `-x` and `-u` mean something else to others. */
export const gitOptions: Readonly<Record<string, RegExp>> = {
  clone: /^(-u|-c|--config(=|$)|--template(=|$))/,
  difftool: /^(-x|--extcmd|-t|--tool)/,
  mergetool: /^(-t|--tool)/,
  grep: /^(-O|--open-files-in-pager)/,
  rebase: /^(-x|--exec)/,
  'send-email': /^--(smtp-server|sendmail-cmd|to-cmd|cc-cmd|header-cmd)(=|$)/,
  daemon: /^--access-hook(=|$)/,
  init: /^--template(=|$)/,
  'ls-remote': /^--(upload-pack|exec)(=|$)/,
  archive: /^--(exec|remote)(=|$)/,
  'http-backend': /^-/,
};

/** Long options that name a program, for programs that accept abbreviations: `tar --to-c`. */
const abbreviated: Readonly<Record<string, string>> = {
  tar: 'to-command use-compress-program checkpoint-action info-script new-volume-script rmt-command rsh-command',
  split: 'filter',
  sort: 'compress-program',
  rsync: 'rsh rsync-path',
  install: 'strip-program',
  wget: 'use-askpass execute config',
  zip: 'unzip-command',
  cpio: 'rsh-command',
  git: 'upload-pack receive-pack open-files-in-pager exec exec-path extcmd config-env access-hook smtp-server',
  gpg: 'photo-viewer agent-program dirmngr-program keyserver-options',
};

/** Whether it abbreviates such an option. */
export function isAbbreviated(program: string, option: string): boolean {
  const name = /^--([a-z][\w-]+)/.exec(option)?.[1];
  if (name === undefined || !Object.hasOwn(abbreviated, program)) return false;
  return abbreviated[program]!.split(' ').some((whole) => whole.startsWith(name));
}

function sameFor(programs: string, options: RegExp): Readonly<Record<string, RegExp>> {
  return Object.fromEntries(programs.split(' ').map((program) => [program, options]));
}
