import { moving, printing, working } from '../../../host/core/programs/grammars.ts';
import type { Random } from '../data/fuzz.ts';

/** Programs of the table that are installed nearly everywhere, work on files, and end by themselves. */
export const programs = [
  ...`echo printf basename dirname pwd test seq date id uname cat tac head tail comm cmp cut expand unexpand fmt fold join nl
  numfmt od paste readlink realpath rev stat tr md5sum sha256sum cksum base64 base32 column df diff du file find grep egrep
  fgrep ls sed sort tree uniq wc which xxd hexdump mkdir rmdir touch cp mv rm tee b2sum sum tsort factor shuf strings iconv
  rg jq chmod`.split(/\s+/),
  'git status',
  'git diff',
  'git log',
  'git show',
  'git ls-files',
  'git grep',
  'git blame',
  'git add',
  'git mv',
];
/** Options that write, run or read elsewhere. */
const others =
  `--output --output-file --files0-from --file --from-file --to-file --exclude-from --reference --compress-program
  --random-source --temporary-directory --target-directory --suffix --in-place --expression --check --set --magic-file --pre
  --rawfile --ext-diff --no-index --open-files-in-pager -exec -delete -fprint -fls -files0-from -newer`.split(
    /\s+/,
  );
/** The letters and the long names of the options that the table lists for a program. */
const listed = new Map(
  (printing + working + moving)
    .trim()
    .split(/\n(?! )/)
    .flatMap((line) => {
      const [names = '', synopsis = ''] = line.split(/:(?:\s|$)/, 2);
      const tokens = synopsis.split(/\s+/).filter((token) => token.startsWith('-'));
      const long = tokens
        .filter((token) => /^--|=$/.test(token))
        .map((token) => token.replace(/[=?!*]+$/, ''));
      const short = tokens
        .filter((token) => !/^--|=$/.test(token))
        .join('')
        .replaceAll(/[-:?!*]/g, '');
      return names.split(', ').map((name) => [name, { long, short }] as const);
    }),
);
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Letters that name files to some program. */
const telling = 'ooofftTrwi';

export interface Places {
  /** A file outside of the home, absolute, and the same in relation to the home. */
  readonly outside: string;
  readonly above: string;
}

interface Style extends Places {
  /** How likely something odd is, from 0 to 1. */
  readonly oddness: number;
}

/** A line for a shell in the home, such as models write and attackers. */
export function shellLine(random: Random, given: Places): string {
  const places = { ...given, oddness: random.pick([0.02, 0.02, 0.1, 0.5]) };
  const one = (): string => command(random, places);
  const line = random.chance(0.55) ? one() : join(random, one, places);
  return random.chance(places.oddness / 4) ? structure(random, line, places) : line;
}

function join(random: Random, one: () => string, { oddness }: Style): string {
  const operator = (): string =>
    !random.chance(oddness / 3)
      ? random.pick([' | ', ' && ', '; ', ' || ', '|', '&&', '\n', ';'])
      : random.pick([' & ', ' |& ', '\r', ' \\\n', ' ;; ', ' # ', '\t', '\u00a0', ' &! ']);
  return `${one()}${operator()}${one()}`;
}

function structure(random: Random, line: string, places: Style): string {
  const to = word(
    random,
    places,
    random.pick(['sub', 'workspace', '..', 'link', places.outside, '-', '~', '']),
  );
  return random.pick([
    `cd ${to} && ${line}`,
    `cd ${to}; ${line}`,
    `cd ${to} | cd ${to}; ${line}`,
    `(${line})`,
    `{ ${line}; }`,
    `! ${line}`,
    `time ${line}`,
    `if true; then ${line}; fi`,
    `for x in a b; do ${line}; done`,
    `for x in ${to}; do cat $x; done`,
    `while false; do ${line}; done; ${line}`,
    `case a in a) ${line};; esac`,
    `f() { ${line}; }; f`,
    `x=${to}; cat $x`,
    `x=${to} ${line}`,
    `export x; ${line}`,
    `${line} # ${line}`,
    `# ${line}\n${line}`,
    `cat <<E\n${line}\nE\n${line}`,
    `cat <<'E'\nx\nE \n${line}\nE`,
    `[[ a = a ]] && ${line}`,
    `(( 1 )) && ${line}`,
    `coproc ${line}`,
    `shopt -s extglob\n${line}`,
    `: '\n' ; ${line}`,
  ]);
}

function command(random: Random, places: Style): string {
  const [program = '', ...more] = random.pick(programs).split(' ');
  const name = random.chance(places.oddness / 10)
    ? word(random, places, program)
    : random.chance(0.03)
      ? `/bin/${program}`
      : program;
  const known = listed.get([program, ...more].join(' ')) ?? { long: [], short: '' };
  const given = random.list(random.chance(0.1) ? 0 : 1, 4, () =>
    random.chance(0.5) ? option(random, known, places) : word(random, places, operand(random, places)),
  );
  // It would not end.
  const rest = given.filter((text) => program !== 'tail' || !/-.*f/is.test(text));
  const redirection = random.chance(places.oddness / 2) ? [redirect(random, places)] : [];
  const parts = [name, ...more, ...rest];
  parts.splice(random.below(parts.length + 1), 0, ...redirection);
  return parts.join(random.chance(0.02) ? '  ' : ' ');
}

function option(
  random: Random,
  known: { readonly long: readonly string[]; readonly short: string },
  places: Style,
): string {
  const { oddness } = places;
  const value = (): string => operand(random, places);
  const letter = (): string => {
    const rare = random.chance(oddness / 2) || known.short === '';
    return random.pick((random.chance(0.25) ? telling : rare ? letters : known.short).split(''));
  };
  const long = (): string => {
    const name = random.pick(
      !random.chance(places.oddness / 2) && known.long.length > 0 ? known.long : others,
    );
    return random.chance(places.oddness / 2) ? name.slice(0, 3 + random.below(name.length - 2)) : name;
  };
  const cluster = (): string => `-${random.list(1, 3, letter).join('')}`;
  return random.pick([
    cluster,
    cluster,
    () => word(random, places, `${cluster()}${value()}`),
    () => `${cluster()} ${word(random, places, value())}`,
    long,
    () => word(random, places, `${long()}=${value()}`),
    () => `${long()} ${word(random, places, value())}`,
    () => `-${random.below(30)}`,
    () => '--',
  ])();
}

const operand = (random: Random, { outside, above, oddness }: Style): string =>
  !random.chance(oddness / 2)
    ? random.pick(
        'notes.txt sub/x.txt workspace/a.md workspace/b.md sub . workspace workspace/new a 5 1,3p s/a/b/ s/a/b/w x + %s %n HEAD'.split(
          ' ',
        ),
      )
    : random.pick([
        outside,
        above,
        `sub/../${above}`,
        'link/secret.txt',
        'link/../secret.txt',
        'sub/back/../secret.txt',
        '~/.netrc',
        '~/../secret.txt',
        '~+/../x',
        '~root/x',
        '.env',
        'pegboard.yaml',
        'spaces/work/agent/agent.yaml',
        'workspace/../notes.txt',
        `@${outside}`,
        `1e cat ${outside}`,
        `w ${outside}`,
        `HEAD:${above}`,
        '-',
        '',
      ]);

/** The text as a word of the shell, quoted or computed in some way. */
function word(random: Random, { oddness }: Style, text: string): string {
  if (!random.chance(oddness)) return text === '' ? "''" : text;
  const at = random.below(text.length + 1);
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  const codes = (form: (code: string) => string): string =>
    tail === '' ? '' : `${form(tail.codePointAt(0)!.toString(16))}${tail.slice(1)}`;
  return random.pick([
    `'${text}'`,
    `"${text}"`,
    `${head}'${tail}'`,
    `${head}"${tail}"`,
    `'${head}'${tail}`,
    `${head}\\${tail}`,
    `"${head}\\${tail}"`,
    `"${head}\\\n${tail}"`,
    `${head}\\\n${tail}`,
    `${head}''${tail}`,
    `$'${text}'`,
    `$"${text}"`,
    `"$'${text}'"`,
    `$'${head}${codes((code) => `\\x${code}`)}'`,
    `$'${head}${codes((code) => `\\x{${code}}`)}'`,
    `$'${head}${codes((code) => `\\u00${code}`)}'`,
    `$'${head}\\0${tail}'`,
    `${head}?${tail.slice(1)}`,
    `${head}*`,
    `${head}[${tail.slice(0, 1)}]${tail.slice(1)}`,
    `${head}{${tail},x}`,
    `${head}@(${tail}|x)`,
    `${head}$(echo ${tail})`,
    `${head}\`echo ${tail}\``,
    `${head}$HOME${tail}`,
    `${head}\${x:-${tail}}`,
    `"${head}\${x:-${tail}}"`,
    `${head}<(cat ${tail})`,
    `${head}#${tail}`,
    `${head}!${tail}`,
    `${head}\u00a0${tail}`,
    `${head}\u2028${tail}`,
    `${head}\r${tail}`,
    `${head}\u0001${tail}`,
    `${head}$[1]${tail}`,
    `${head}$((1))${tail}`,
  ]);
}

function redirect(random: Random, places: Style): string {
  const target = (): string => word(random, places, operand(random, places));
  return random.pick([
    () => '>/dev/null',
    () => '2>&1',
    () => '2>/dev/null',
    () => '</dev/null',
    () => `> ${target()}`,
    () => `>>${target()}`,
    () => `>|${target()}`,
    () => `&>${target()}`,
    () => `>&${target()}`,
    () => `2>${target()}`,
    () => `<${target()}`,
    () => `<>${target()}`,
    () => `3<${target()}`,
    () => `{x}>${target()}`,
    () => `<<<${target()}`,
    () => `<<< $(cat ${target()})`,
    () => `<<E\n${target()}\nE\n`,
    () => `<&${target()}`,
    () => `>&-`,
  ])();
}
