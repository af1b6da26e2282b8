/** Evaluate their arguments as code, or keep them for later code: no value may be one. */
export const evaluators =
  /^(eval|source|\.|trap|alias|let|declare|typeset|unset|read|mapfile|readarray|getopts|builtin|enable|bind|complete|compgen|hash|fc|wait|jobs|shopt|set|ssh|rsh|mosh|pssh|pdsh|su|sg|newgrp|runuser|script|watch|watchexec|entr|nodemon|hyperfine|parallel|crontab|at|batch|screen|dtach|abduco|socat|expect|gdb|lldb|g?make|m4|cmd(\.exe)?|n?vim?|view|vimdiff|ex|emacs(client)?|nano)$/;

export const variableSetters = /^(export|readonly|local)$/;

/** `printf -v NAME`, `test -v NAME`, `[ -R NAME ]`: the argument names a variable, and a subscript in it is evaluated. */
export const variableTesters = { programs: /^(printf|test|\[)$/, option: /^-[vR]$/ } as const;

export interface Wrapper {
  /** Options that take the next word. */
  readonly options: RegExp;
  /** Words of its own before the program. */
  readonly operands: number;
}
const none = /^$/;

/** Programs that run the program which follows. */
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
  caffeinate: { options: /^-[tw]$/, operands: 0 },
};
/** Wrappers before whose program `NAME=value` sets a variable. */
export const settingWrappers = /^(env|sudo|doas)$/;

export const interpreters =
  /^((ba|da|z|k|mk|a|fi|c|tc|ya)?sh|python[\d.]*|pypy3?|perl|ruby|node|deno|bun|tsx|ts-node|php|lua(jit)?|Rscript|osascript|pwsh|powershell|tclsh|psql|mysql|mariadb|sqlite3|duckdb|mongosh|go|java|elvish|nu|xonsh|ion|rc|es|scsh|guile|racket|julia|elixir|iex|erl|ghci|runghc|scala|kotlin|groovy|clojure|bb|octave|R|raku|crystal|swift|jshell)$/;
/** `deno run SCRIPT`: a subcommand stands before the script. */
export const interpretersWithSubcommand = /^(deno|bun|go|java)$/;
export const databases = /^(sqlite3|duckdb|psql|mysql|mariadb|mongosh)$/;
/** Read their program from standard input even when they have an operand. */
export const readsStandardInput = /sql|duckdb|mongosh/;
/** The next word is program text, or a file of it. */
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
/** `jq --arg NAME VALUE`: data, however it looks. */
export const jqData = /^--(arg|argjson|slurpfile|rawfile)$/;

/** Variables that choose code to run, or where things are read from and written to. */
export const dangerousVariable =
  /^(PATH|IFS|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|BASH_FUNC.*|PS[0-4]|PROMPT_COMMAND|LD_.*|DYLD_.*|.*_OPTIONS|.*OPTS?|NODE_.*|PYTHON.*|PERL.*|RUBY.*|GEM_.*|GIT_.*|SSH_.*|.*EDITOR|VISUAL|.*PAGER|BROWSER|LESS.*|HOME|SHELL|TMPDIR|CDPATH|GLOBIGNORE|.*_COMMAND|MAKEFLAGS|MFLAGS|GREP_.*|TERMINFO.*|XDG_.*|.*_PROXY|AWKPATH|R_.*|.*_CONFIG.*)$/i;

/** Options of many programs (rsync, tar, git, curl …) that name a program to run. */
export const programOption =
  /^(--(rsh|to-command|checkpoint-action|use-compress-program|exec|eval|upload-pack|receive-pack|rsync-path|pager|editor|init-command|preprocessor|ssh-command|open-files-in-pager|compress-program|use-askpass|unzip-command|pre|strip-program|info-script|new-volume-script|rmt-command|rsh-command|hostname-bin|exec-path|config-env))(=|$)/;
/** Those that mean something else to other programs. */
export const programOptionsOf: Readonly<Record<string, RegExp>> = {
  tar: /^(-I|-F)$/,
  rsync: /^-e$/,
  split: /^--filter(=|$)/,
  scp: /^-[SoD]$/,
  sftp: /^-[SoD]$/,
};
