/**
 * Programs whose operands are all data: system tools that read, write and print. Values may be anywhere, except after
 * the few options that name a program (`programOption`).
 */
export const dataPrograms = new Set(
  (
    'cat tac head tail wc ls dir vdir stat file du df tree cp mv rm ln mkdir rmdir touch mktemp chmod chown chgrp install ' +
    'readlink realpath basename dirname pwd echo printf seq yes true false test [ expr factor numfmt date cal sleep ' +
    'sort uniq cut paste join comm tr rev fold fmt nl pr column expand unexpand tsort shuf split csplit ptx od xxd hexdump ' +
    'strings iconv dos2unix unix2dos base32 base64 basenc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum ' +
    'cksum sum cmp diff diff3 sdiff patch tee dd sync truncate fallocate shred grep egrep fgrep rg ag ack look aspell ' +
    'hunspell gzip gunzip zcat bzip2 bunzip2 xz unxz zstd unzstd lz4 zip unzip tar cpio 7z ar rsync scp sftp curl wget ' +
    'aria2c ping traceroute dig host nslookup whois nc ncat id whoami who w uname hostname uptime free ps pgrep kill pkill ' +
    'killall lsof ss netstat ifconfig arp route lscpu lsblk lsusb lspci dmesg vmstat iostat env-list getent locale ' +
    'ffmpeg ffprobe sox magick convert identify mogrify montage exiftool pdftotext pdfinfo pdftoppm qpdf pandoc ' +
    'wkhtmltopdf tesseract yt-dlp youtube-dl gpg openssl age ssh-keygen qrencode jo csvcut csvgrep csvsort csvlook xsv ' +
    'xmllint xsltproc tidy prettier eslint tsc gcc g++ cc c++ clang clang++ rustc ld nm objdump size gofmt rustfmt black ' +
    'ruff flake8 mypy pylint shellcheck shfmt hadolint notify-send xclip xsel pbcopy pbpaste say espeak lp lpr open ' +
    'xdg-open trash trash-put systemctl journalctl loginctl timedatectl hostnamectl service launchctl crictl ' +
    'nmcli rfkill amixer pactl playerctl brightnessctl mail sendmail msmtp mutt calc units bat fzf eza exa'
  ).split(' '),
);

/** The owner's own files, by path or extension: only the owner knows what their arguments mean. */
export const ownScript = /^(?:\.{1,2}\/|[^/]+\/)|\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|php|lua|r|jl|exe)$/i;

/** Programs that run the program after their own arguments, of which there may be any number. */
export const runners =
  /^(systemd-run|bwrap|firejail|taskset|chrt|numactl|setpriv|runcon|prlimit|setarch|linux32|linux64|i386|x86_64|ltrace|valgrind|rr|gdbserver|gosu|su-exec|tini|dumb-init|catatonit|pkexec|proxychains4?|torsocks|torify|fakeroot|fakechroot|faketime|eatmydata|chronic|unbuffer|rlwrap|catchsegv|cgexec|cpulimit|softlimit|chpst|setuidgid|envdir|daemonize|start-stop-daemon|ssh-agent|gpg-agent|dbus-launch|with|ifne|errno-run|multitime|heaptrack|uftrace|stap|bpftrace|sandbox-exec|s6-.*|.*[-_]?(run|exec|wrap|wrapper|spawn|launch|launcher|jail|sudo|grind|lock|lockrun)|(run|exec|wrap|spawn|launch|with|sudo)[-_].*|.*-run-.*)$/;

/** Words after which programs take a command: everything after the first one counts as command text. */
export const runVerbs =
  /^-{0,2}(run|exec|execute|foreach|for-each|each|start|new-session|new-window|new|neww|split-window|splitw|respawn-pane|respawn-window|popup|display-popup|shell|sh|bash|ssh|rsh|eval|evaluate|cmd|command|launch|spawn|invoke|dlx|x|with|wrap|do|trace|record|enter|script|debug|attach-exec|filter-branch)$/;
/** Words after which every argument is command text: `tmux if-shell CONDITION COMMAND COMMAND`. */
export const textVerbs =
  /^(if-shell|run-shell|pipe-pane|send-keys|confirm-before|command-prompt|bind-key|set-hook|display-menu)$/;
/** Such words that mean something else to these programs. */
export const quietVerbs: Readonly<Record<string, RegExp>> = {
  gh: /^(run|new|ssh)$/,
  glab: /^(run|new)$/,
  git: /^(start|new|record|each|do|x|cmd|command|with|script|shell|debug|trace)$/,
  docker: /^(start|new|attach)$/,
  podman: /^(start|new|attach)$/,
  npm: /^(run|run-script|start)$/,
  pnpm: /^(run|start)$/,
  yarn: /^(run|start)$/,
  cargo: /^(new)$/,
  hugo: /^(new)$/,
  rails: /^(new)$/,
  dotnet: /^(new)$/,
  poetry: /^(new)$/,
  zola: /^(new)$/,
  ng: /^(new)$/,
  brew: /^(start)$/,
  supervisorctl: /^(start)$/,
  virsh: /^(start)$/,
  vagrant: /^(new)$/,
};

/** An option after which many programs take program text or a command. */
export const codeOptions =
  /^(-[cex]|-ex|-E|--?(exec|execute|exec-batch|command|cmd|eval|evaluate|expr|expression|code|script|run|rsh|shell|program|on-[a-z]+|hook|init-eval-command|eval-command)|--[\w-]+-(command|cmd|program|script|shell|hook|exec))$/;

export interface Runner {
  /** The subcommands that precede the command, in order. */
  readonly verbs: readonly RegExp[];
  /** Options without a value; any other option consumes the next word. */
  readonly flags: RegExp;
  /** Number of words before the program: an image, a container. */
  readonly operands: number;
  /** Such a word is data: it names something that exists and doesn't choose a program. */
  readonly operandIsData?: boolean;
}
const containerFlags =
  /^(-[itdP]{1,4}|--(rm|init|interactive|tty|detach|privileged|read-only|publish-all|no-healthcheck|quiet|stdin|no-deps|no-TTY|build|service-ports|use-aliases|remove-orphans|quiet-pull)|-T|-q)$/;
const containers = [
  { verbs: [/^(run|create)$/], flags: containerFlags, operands: 1 },
  { verbs: [/^exec$/], flags: containerFlags, operands: 1, operandIsData: true },
  { verbs: [/^compose$/, /^(run|exec)$/], flags: containerFlags, operands: 1, operandIsData: true },
] as const;
const pods = [
  { verbs: [/^(exec|run|debug)$/], flags: containerFlags, operands: 1, operandIsData: true },
] as const;
const direct = { flags: /^-/, operands: 0 } as const;

/** Well-known programs whose subcommands are at a known position. */
export const knownRunners: Readonly<Record<string, readonly Runner[]>> = {
  docker: containers,
  podman: containers,
  nerdctl: containers,
  'docker-compose': [{ ...containers[1], verbs: [/^(run|exec)$/] }],
  kubectl: pods,
  oc: pods,
  lxc: [{ ...containers[1], verbs: [/^exec$/] }],
  incus: [{ ...containers[1], verbs: [/^exec$/] }],
  git: [
    { verbs: [/^submodule$/, /^foreach$/], flags: /^(--recursive|-q|--quiet)$/, operands: 0 },
    { verbs: [/^bisect$/, /^run$/], flags: /^-/, operands: 0 },
  ],
  uv: [
    {
      verbs: [/^run$/],
      flags: /^(--(isolated|no-project|no-sync|quiet|verbose|frozen|locked|offline)|-[qv])$/,
      operands: 0,
    },
  ],
  poetry: [{ verbs: [/^run$/], ...direct }],
  pipenv: [{ verbs: [/^run$/], ...direct }],
  conda: [{ verbs: [/^run$/], flags: /^(--no-capture-output|--live-stream|-v+)$/, operands: 0 }],
  perf: [
    {
      verbs: [/^(stat|record|trace|top|mem|c2c|lock|sched|kmem|ftrace|kvm)$/],
      flags: /^-[adgv]+$/,
      operands: 0,
    },
  ],
  bundle: [{ verbs: [/^exec$/], ...direct }],
  npm: [{ verbs: [/^(exec|x)$/], ...direct }],
  pnpm: [{ verbs: [/^(exec|dlx)$/], ...direct }],
  yarn: [{ verbs: [/^(exec|dlx)$/], ...direct }],
  dotenv: [{ verbs: [/^run$/], ...direct }],
};

export const gitConfiguration = /^(-c|--exec-path|--config-env)$/;
/** Keys of git's configuration that name no program. */
export const plainGitKey =
  /^(user\.(name|email|signingkey)|init\.defaultbranch|color\..+|branch\..+|remote\..+\.url|commit\.template|core\.(autocrlf|filemode|ignorecase|quotepath))$/i;
/** `find -exec`, `fd -x`, `git rebase -x`. */
export const runOption = /^(-(exec|execdir|ok|okdir|x|X)|--exec(-batch)?)$/;
