import { dirname } from 'node:path';
import type { Sandbox } from '../../api/sandbox.ts';
import { guardedNames, guardedPatterns } from '../files/guarded-names.ts';
import { isWithin } from '../files/paths.ts';
import type { Boundary } from './boundary.ts';

/** What a program of macOS needs to run at all. */
const system =
  '/usr /bin /sbin /System /Library /opt /nix/store /dev /private/etc /private/var/select /private/var/db/timezone /private/var/db/dyld'.split(
    ' ',
  );
/** What everybody may write to: sockets, and files of other programs, are there too. */
const shared = ['/private/tmp', '/private/var/tmp', '/private/var/folders', '/private/var/run', '/Volumes'];
const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper'];
const services = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.logger',
  'com.apple.system.notification_center',
];
/** Where names of hosts are looked up, and certificates checked. */
const servicesOfNetwork = [
  'com.apple.dnssd.service',
  'com.apple.SystemConfiguration.configd',
  'com.apple.SystemConfiguration.DNSConfiguration',
  'com.apple.networkd',
  'com.apple.trustd',
  'com.apple.trustd.agent',
];

export interface SeatbeltProfile {
  readonly level: Sandbox['level'];
  readonly network: boolean;
  readonly boundary: Boundary;
  /** A folder for temporary files that is this program's alone. */
  readonly temporary: string;
}

/**
 * The same boundary as bubblewrap's, in the language of macOS' `sandbox-exec`. What is not allowed is denied; of two rules
 * that fit, the later one holds.
 */
export function seatbeltProfile({ level, network, boundary, temporary }: SeatbeltProfile): string {
  const { readable, own, secret } = boundary;
  const shown = [
    ...readable,
    ...boundary.writable.map(({ path }) => path),
    ...(own === undefined ? [] : [own]),
  ];
  const open = [temporary, ...(own === undefined ? [] : [own])];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow ipc-posix-sem)',
    '(allow file-read-metadata)',
    rule('allow', 'mach-lookup', services.map(serviceNamed)),
    rule('allow', 'file-ioctl file-write-data', devices.map(literal)),
    level === 'workspace' ? '(allow file-read*)' : rule('allow', 'file-read*', system.map(subpath)),
    rule('deny', 'file-read-data', shared.map(subpath)),
    rule('allow', 'file-read*', [...shown, temporary].map(subpath)),
    rule('deny', 'file-read*', secret.map(subpath)),
    ...writesIn(boundary),
    rule('allow', 'file-read* file-write*', open.map(subpath)),
    '(deny file-write-setugid)',
    ...(network
      ? ['(allow network* system-socket)', rule('allow', 'mach-lookup', servicesOfNetwork.map(serviceNamed))]
      : []),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** From the outside in, since what lies deeper says more. */
function writesIn({ writable, guarded, secret }: Boundary): readonly string[] {
  const folders = writable.map(({ path }) => path);
  const fixed = [...guarded, ...secret].filter((path) => folders.some((folder) => isWithin(folder, path)));
  const rules = [
    ...writable.map(({ path, isShallow }) => ({
      path,
      lines: [
        rule('allow', 'file-write*', [subpath(path)]),
        ...guardedIn(path, isShallow).map((filter) => rule('deny', 'file-write*', [filter])),
      ],
    })),
    ...fixed.map((path) => ({ path, lines: [rule('deny', 'file-write*', [subpath(path)])] })),
  ];
  const above = new Set(fixed.flatMap((path) => foldersBetween(path, folders)));
  return [
    ...rules.toSorted((one, other) => one.path.length - other.path.length).flatMap(({ lines }) => lines),
    // A folder that is moved away takes along what must stay, and makes room for another.
    rule('deny', 'file-write-unlink', [...above].map(literal)),
  ];
}

function foldersBetween(path: string, folders: readonly string[]): readonly string[] {
  const above = dirname(path);
  if (above === path || !folders.some((folder) => isWithin(folder, above))) return [];
  return [...foldersBetween(above, folders), above];
}

/** Names in one filter: longer expressions are not accepted by every version. */
const namesInFilter = 20;

/** Whatever has a guarded name in `folder`, there already or not. All names with a leading dot are, also harmless ones. */
function guardedIn(folder: string, isShallow: boolean): readonly string[] {
  const names = ['[.][^/]*', ...guardedPatterns, ...[...guardedNames].map(escape)].map(inAnyCase);
  const start = `^${escape(folder)}/${isShallow ? '' : '([^/]*/)*'}`;
  const filters: string[] = [];
  for (let from = 0; from < names.length; from += namesInFilter)
    filters.push(`(regex #"${start}(${names.slice(from, from + namesInFilter).join('|')})(/|$)")`);
  return filters;
}

/** The file system ignores case. What stands in brackets already is left as it is. */
const inAnyCase = (expression: string): string =>
  expression.replace(/\[[^\]]*\]|[a-z]/g, (part) =>
    part.startsWith('[')
      ? part.replace(/[a-z]/g, (letter) => letter + letter.toUpperCase())
      : `[${part}${part.toUpperCase()}]`,
  );

/** For an expression between quotes, in which a quote or the end of a line is "any character". */
const escape = (text: string): string =>
  text.replace(/["\n\r\\^$*+?.()[\]{}|]/g, (character) =>
    '"\n\r'.includes(character) ? '.' : `\\${character}`,
  );

/** Nothing where there is nothing to filter by: such a rule would hold for everything. */
const rule = (decision: 'allow' | 'deny', operations: string, filters: readonly string[]): string =>
  filters.length === 0 ? '' : `(${decision} ${operations}\n  ${filters.join('\n  ')})`;

const subpath = (path: string): string => `(subpath ${quoted(path)})`;
const literal = (path: string): string => `(literal ${quoted(path)})`;
const serviceNamed = (name: string): string => `(global-name ${quoted(name)})`;

/** As the language's own strings have it. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
