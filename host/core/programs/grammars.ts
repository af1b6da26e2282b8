/**
 * What programs accept as arguments, as far as nothing is written, run or sent because of it, except where a program is
 * there for that (`mkdir`, `git add`, `curl`). What isn't listed here is not known to be harmless. A line is a program, or
 * several, and their options in the notation of getopt. After `:` a value follows, attached or as the next word; after `,`
 * as the next word; after `?` it may be attached. `-#` is a number. `--name=` and `--name?` are the same for long options,
 * which have to be written whole. `!` marks those that make a program read more than what is named; of those with
 * `*`, one has to be given. In brackets the operands, by their kinds below, `0` for none; without brackets there may be any.
 * `+`: the first operand ends the options. `*` alone: it prints its arguments, whatever they are. Several lines for one
 * command are alternatives. What git has of files is printed only of those that are named: PATH, after `--` or alone; or
 * of all that its index and its last commits have, and that it would take: TRACKED.
 */

/** Options that show what changed in git, without the contents. Those that do not print contents by default say so. */
const about = `-wbRaM?C?B?zl:X? --color? --no-color --minimal --patience --histogram --diff-filter= --no-renames --find-renames?
  --find-copies? --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --exit-code
  --no-ext-diff --no-textconv --relative? --full-index --abbrev?`;
const summaries = `${about} -s* --no-patch* --raw* --stat?* --numstat* --shortstat* --summary* --dirstat?* --name-only*
  --name-status* --quiet*`;
const contents = `${summaries.replaceAll('*', '')} -puWDU:S:G: --patch --unified= --word-diff? --function-context --check --text
  --pickaxe-regex --pickaxe-all --inter-hunk-context=`;
const commits = `-# -n:iEFPg --oneline --graph --decorate? --no-decorate --all --branches? --tags? --remotes? --format=
  --pretty? --abbrev-commit --max-count= --skip= --since= --until= --after= --before= --author= --committer= --grep=
  --merges --no-merges --first-parent --reverse --date= --all-match --invert-grep --topo-order --date-order
  --left-right --cherry-pick --no-walk? --no-notes`;
const matching = `-nilLcwvEFGPhHIaoqWpA:B:C:m: --line-number --ignore-case --word-regexp --files-with-matches
  --files-without-match --count --heading --break --show-function --function-context --max-depth=`;
const cargo = `-rqvp:F:j: --release --all --workspace --package= --all-features --features= --no-default-features
  --all-targets --lib --bins --tests --examples --quiet --verbose --locked --offline --frozen --jobs= --keep-going`;

/**
 * They print what their arguments and the named files hold, or names of files. Links within a folder are not followed:
 * they may lead anywhere.
 */
export const printing = `
true, false, :, echo, expr: *
printf: + (FORMAT ANY...)
type: -aftpP
basename: -as:z --multiple --suffix= --zero
dirname: -z --zero
pwd: -LP (0)
[, test: -abcdefghknoprstuwxzqlLGNOS# (TEST...)
seq: -ws:f:# --equal-width --separator= --format=
sleep: (TIME...)
date: -uRI? --utc --universal --rfc-email --iso-8601? (DATE)
id: -agGnruz --group --groups --name --real --user --zero
uname: -asnrvmpio --all --kernel-name --machine --release (0)
hostname: -fsiIdA (0)
arch, whoami, uptime, nproc, tty: (0)
cat, tac: -AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting
head: -c:n:qv# --bytes= --lines= --quiet --silent --verbose
tail: -c:n:qvfF# --bytes= --lines= --quiet --silent --verbose --follow?
comm: -123 --check-order --nocheck-order --output-delimiter=
cmp: -bln:i:s --print-bytes --verbose --bytes= --quiet --silent
cut: -b:c:d:f:ns --bytes= --characters= --fields= --delimiter= --output-delimiter= --only-delimited --complement
expand, unexpand: -it:a --tabs= --initial --all
fmt: -cstuw:# --width= --uniform-spacing
fold: -bsw:# --bytes --spaces --width=
join: -a:e:io:t:v:1:2:j: --ignore-case --header --check-order --nocheck-order
nl: -b:d:f:h:i:l:n:ps:v:w: --body-numbering= --number-format= --number-width= --number-separator=
numfmt: --from= --to= --suffix= --padding= --field= --format= --grouping --header? --delimiter= -d:
od: -A:j:N:t:v:bcdosxw? --address-radix= --skip-bytes= --read-bytes= --format= --output-duplicates
paste: -d:sz --delimiters= --serial --zero-terminated
readlink: -femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline
realpath: -emqszLP --canonicalize-existing --canonicalize-missing --no-symlinks --strip
rev: 
stat: -Ltfc: --dereference --format= --terse --file-system
tr: -cCdst --complement --delete --squeeze-repeats --truncate-set1
md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum: -bt --binary --text --tag
cksum: (FILE...)
base64, base32: -diw: --decode --ignore-garbage --wrap= (FILE)
column: -txs:o:c: --table --separator= --output-separator=
df: -ahHikTlP --all --human-readable --inodes --local --print-type
diff: -abBdiqsuwytTpU:C:I:W:# --unified? --brief --side-by-side --ignore-case --ignore-all-space --ignore-space-change
  --ignore-blank-lines --text --report-identical-files --color? --minimal --width= --suppress-common-lines
du: -abchkmsxDlSd:t: --all --bytes --total --human-readable --max-depth= --summarize --apparent-size --time? --threshold=
file: -bhikLN --brief --mime --mime-type --mime-encoding --dereference --no-dereference
find: -a= -name= -iname= -path= -ipath= -maxdepth= -mindepth= -mmin= -mtime= -newer= -perm= -size= -type= -user= -and -or
  -o -not -empty -ls -print -print0 -prune
grep, egrep, fgrep: -EFGPIbchilLnoqsvwxHTe:A:B:C:m:# --regexp= --ignore-case --no-ignore-case --invert-match --word-regexp
  --line-regexp --count --color? --colour? --files-with-matches --files-without-match --max-count= --only-matching --quiet
  --silent --no-messages --byte-offset --with-filename --no-filename --line-number --after-context= --before-context=
  --context= --null --extended-regexp --fixed-strings --basic-regexp --perl-regexp
  -r!f:! --recursive! --include=! --exclude=! --exclude-dir=! --file=!
ls, dir: -1aAbBcCdDfFgGhHiklmnNopqQrRsStuUvxXZI:T:w: --all --almost-all --human-readable --color? --directory --recursive
  --reverse --sort= --time= --time-style= --full-time --group-directories-first --inode --size --classify? --si --ignore=
sed: -nErsuz --quiet --silent --regexp-extended --null-data (SED ANY...)
sort: -bdfghiMnrRsuVzcCk:t: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort
  --human-numeric-sort --month-sort --numeric-sort --reverse --version-sort --unique --zero-terminated --stable
  --key= --field-separator= --check?
tree: -adfFghiNpqQsuL,P,I, --dirsfirst --noreport --gitignore!
uniq: -cdDiuzf:s:w:# --count --repeated --ignore-case --unique --zero-terminated --skip-fields= --skip-chars= --check-chars=
  (FILE)
wc: -clLmw --bytes --chars --lines --words --max-line-length
which: -a
xxd: -b -c= -e -g= -i -l= -p -ps -s= -u (FILE)
hexdump: -bcCdosxvn:s:
`;

/** They read more than what is named, or change what they are named for. Where paths lead stays as it is. */
export const working = `
command -v: 
mkdir: -pvm: --parents --verbose --mode=
touch: -acm --no-create
cp: -finpuvT --force --no-clobber --preserve? --update? --verbose --no-target-directory
tee: -ai --append
chmod: -vcf --verbose --changes (MODE FILE...)
b2sum, sum, tsort, factor: (FILE...)
shuf: -n:i:ez --head-count= --input-range= --echo
strings: -an:t:e: --all --bytes= (FILE...)
iconv: -f:t:lcs --from-code= --to-code= (FILE...)
rg: -niINwvclFPosSuUhH.A:B:C:m:g:t:T:e:j:M: --files --glob= --type= --type-not= --hidden --no-ignore --ignore-case --smart-case
  --word-regexp --fixed-strings --line-number --no-heading --heading --count --files-with-matches --json --stats --sort=
  --max-count= --max-depth= --context= --after-context= --before-context= --color= --multiline --only-matching --column
jq: -rcsnSaejM --raw-output --compact-output --slurp --null-input --sort-keys --ascii-output --exit-status --join-output
  --monochrome-output --tab --indent= (JQ ANY...)
curl: -sSfLIivk46m:A:H: --silent --show-error --fail --location --head --include --verbose --compressed --max-time=
  --connect-timeout= --retry= --retry-delay= --user-agent= --header= --no-progress-meter --http1.1 --http2 (URL...)
ps: -efFlHAawxjyp:o:u:C: --forest --sort= --no-headers (PROCESSES...)
free: -hmgkbtw --human --mega --giga (0)
lscpu, lsblk, users, groups, who, w: (0)
unzip -l: (FILE)
systemctl status: -lqan: --user --no-pager --lines= --full
systemctl is-active: --user
systemctl list-units: -a --user --no-pager --all --type= --state=
journalctl: -fexkrqab?u:n:o:p:S:U:t: --user --no-pager --unit= --lines= --output= --priority= --since= --until= --follow
  --reverse --boot? --dmesg --quiet (0)
git status: -sbuz -u? --short --branch --porcelain? --long --show-stash --ignored? --untracked-files? --column? --renames
  --no-renames --ahead-behind
git diff: ${summaries} --cached --staged --merge-base
git diff: ${contents} --cached --staged (0 -- TRACKED)
git diff, git show: ${contents} (LAST -- TRACKED)
git diff: ${contents} --cached --staged --merge-base (COMMIT... -- PATH...)
git show: ${summaries} ${commits} (HEAD...)
git show: ${contents} ${commits} (0 -- TRACKED)
git show: ${contents} ${commits} (HEAD... -- PATH...)
git log, git whatchanged: ${summaries.replaceAll('*', '')} ${commits} --follow
git log, git whatchanged: ${contents} ${commits} (COMMIT... -- PATH...)
git reflog: ${commits} (0)
git reflog show: ${commits}
git shortlog: ${commits} -snec --summary --numbered --email
git blame: -wMCeslfntL: --line-porcelain --porcelain --date= --show-email --show-name --since= (COMMIT... -- PATH...)
git branch: -avrl --all --remotes --list --verbose --show-current --merged? --no-merged? --contains? --no-contains? --sort=
  --format= --points-at= --column? --color? --ignore-case
git tag: -lin? --list --sort= --format= --points-at= --contains? --no-contains? --merged? --column? (ANY)
git rev-parse: -q --show-toplevel --abbrev-ref? --short? --verify --quiet --git-dir --is-inside-work-tree --show-prefix
  --show-cdup --symbolic-full-name --all --branches? --tags? (REVISION...)
git rev-list: -# -n: --count --all --max-count= --since= --until= --merges --no-merges --first-parent --left-right --reverse
git merge-base: -a --all --is-ancestor --octopus --independent --fork-point
git name-rev: --name-only --tags --refs= --all
git describe: --tags --always --dirty? --abbrev? --long --match= --exclude= --all --contains --exact-match --first-parent
git ls-files: -cdmoistuzkv --cached --deleted --modified --others --stage --unmerged --killed --full-name --exclude-standard
  --error-unmatch --eol
git ls-tree: -drtlz --long --name-only --name-status --full-name --full-tree
git cat-file: -tse (REVISION)
git show-ref: -qds --heads --tags --verify --hash? --dereference
git for-each-ref: --count= --sort= --format= --points-at= --merged? --contains? --ignore-case
git count-objects: -vH --verbose --human-readable (0)
git check-ignore: -vqn --verbose --quiet --non-matching --no-index
git grep: ${matching} (ANY -- TRACKED)
git grep: ${matching} --untracked (ANY -- PATH...)
git remote: -v --verbose (0)
git remote get-url: --all --push (NAME)
git stash list: ${summaries.replaceAll('*', '')} ${commits} (0)
git stash show: ${summaries} (REVISION)
git worktree list: -vz --porcelain --verbose
git submodule status: --cached --recursive
git version: --build-options (0)
git --version: (0)
git tag: -am:* --message=* --annotate (NEW)
git add: -AuvnNf --all --update --verbose --dry-run --intent-to-add --force --ignore-removal --refresh (ANY... -- TRACKED)
git commit: -m:*aqs --message=* --all --quiet --signoff --amend --no-edit* --allow-empty --author= --date= --dry-run*
git restore --staged: 
git checkout -b: (NEW)
git switch -c: (NEW)
git switch --create: (NEW)
git fetch: -pqvt --all --prune --tags --quiet --verbose --dry-run --depth= (0)
git push: -qvnu --tags --follow-tags --dry-run --quiet --verbose --set-upstream (0)
npm test, npm t: -s --silent --if-present -w: --workspace= --workspaces (0)
npm run, npm run-script, pnpm run: -s --silent --if-present -w: --workspace= --workspaces (SCRIPT)
npm ls, npm list, pnpm list: -alp --all --long --parseable --json --depth= --prod --dev --omit=
npm outdated, npm explain, npm why, npm prefix, npm root: --json --long --all
npm --version, npm -v, node --version, node -v, pnpm --version, yarn --version: (0)
pnpm test, yarn test: (0)
yarn run: (SCRIPT)
pip list, pip3 list, pip check, pip3 check, pip freeze, pip3 freeze: --outdated --format= (0)
pip show, pip3 show: -fv --files (NAME...)
go version: (0)
go env: -json (NAME...)
go list: -m -json -f= -deps -test -e (PACKAGES...)
go doc: -all -short -src -u
go vet: (PACKAGES...)
go test: -v -run= -skip= -count= -short -race -cover -timeout= -bench= -benchmem -json -failfast -p= -parallel= -shuffle=
  (PACKAGES...)
cargo build, cargo check, cargo clippy: ${cargo} (0)
cargo test: ${cargo} --no-run --doc --test= (NAME)
cargo tree: -ieadp:F: --invert? --depth= --edges= --duplicates --workspace (NAME)
cargo fmt --check: --all (0)
cargo --version, rustc --version: (0)
docker ps: -aqlsn:f: --all --quiet --latest --size --last= --filter= --format= --no-trunc (0)
docker images: -aqf: --all --quiet --filter= --format= --digests --no-trunc (NAME)
docker logs: -ftn: --follow --timestamps --tail= --since= --until= --details (NAME)
docker inspect: -f:s --format= --size --type= (NAME...)
docker top, docker port, docker diff: (NAME)
docker stats: -a --all --no-stream --no-trunc --format= (NAME...)
docker version, docker info: -f: --format= (0)
docker network ls, docker volume ls: -qf: --quiet --filter= --format= (0)
docker compose ps: -aq --all --quiet --services --format= (NAME...)
docker compose logs: -ftn: --follow --timestamps --tail= --since= --until= --no-color --no-log-prefix (NAME...)
kubectl get, kubectl describe: -n:Al:wo: --namespace= --all-namespaces --selector= --watch --output= --show-labels (RESOURCE...)
kubectl logs: -n:fpc:l: --namespace= --follow --previous --container= --selector= --tail= --since= --timestamps (RESOURCE...)
gh pr list, gh issue list, gh run list: -s:L:a:A:l: --state= --limit= --assignee= --author= --label= --search= --json= (0)
gh pr view, gh issue view, gh run view: -c --comments --json= --log --log-failed (NUMBER)
gh pr diff: --name-only* (NUMBER)
gh pr checks, gh pr status: (NUMBER)
`;

/** They change where paths lead: before they have run, nobody can say which file a path is. */
export const moving = `
rmdir: -pv --parents --verbose
mv: -finuvT --force --no-clobber --update? --verbose --no-target-directory
rm: -fivdI --force --verbose --dir
`;

/** What an operand may be. The program that the table names for it decides what follows from that. */
export const operandKinds: Readonly<Record<string, RegExp>> = {
  ANY: /^/,
  /** `@x` is the file with the arguments to some. */
  FILE: /^(?!@)/,
  /** Unlike other conversions, `%n` sets a variable, and `%*d` takes the width from the arguments. */
  FORMAT: /^(?!-)(?:[^%]|%%|%[-+ #0']*\d*(?:\.\d*)?[sbqdiouxXeEfFgGc])*$/,
  TEST: /^(?!-.)/,
  TIME: /^[\d.]+[smhd]?$/,
  DATE: /^\+/,
  NUMBER: /^\d+$/,
  MODE: /^(?:[0-7]{3}|[ugoa]*[-+=][rwxX]*)$/,
  /** `1,20p`, `$p`, `/a/p`, and `s/a/b/g`; others write files and run commands. */
  SED: /^(?:(?:(?:\d+|\$)(?:,(?:\d+|\$))?|\/(?:[^/\\\n]|\\[^\n])*\/)[pd]|s\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\/[gpiI\d]*)$/,
  /** Paths, comparisons and functions that read no file and no environment. */
  JQ: /^(?:\.\w*(?!\w)|\[|\]|[(){}]|"[^"\\]*"|\d|[|,:?+*/-]|==|!=|<=?|>=?| |\b\w+(?=:)|(?<!\$)\b(?:length|keys|values|map|select|sort|sort_by|group_by|unique|unique_by|has|in|first|last|add|any|all|flatten|range|to_entries|from_entries|with_entries|tostring|tonumber|type|join|split|test|contains|startswith|endswith|min|max|min_by|max_by|reverse|not|and|or|empty|null|true|false)\b)*$/,
  URL: /^https?:\/\/[^{}[\]]+$/,
  PROCESSES: /^(?:[aufxlwjs]+|\d+)$/,
  REVISION: /^[\w@][\w./@{}^~-]*$/,
  /** Certainly no file that git has: a hash, also after `x-g`, may be that of one. */
  COMMIT: /^(?!.*[\da-f]{4}(?:\.\.|$))[\w@][\w./-]*(?:[~^]\d*)*(?:\.\.[\w./@~^-]*)?$/i,
  LAST: /^(?:HEAD|@)$/,
  /** Certainly a commit: a tag may be a file. */
  HEAD: /^(?:HEAD|@)(?:[~^]\d*)*$/,
  /** No pattern, and not what git takes for another path than the system. */
  PATH: /^(?!:|-|.*\.\.)[^*?[\\]+$/s,
  NEW: /^\w[\w./-]*$/,
  NAME: /^\w[\w.:/@-]*$/,
  SCRIPT: /^\w[\w.:@-]*$/,
  RESOURCE: /^\w[\w.,:/-]*$/,
  /** Those of the project; others would be fetched, or belong to a folder that an agent writes. */
  PACKAGES: /^\.(?:\/\.\.\.)?$/,
};
