import { dirname } from 'node:path';
import type { Sandbox } from '../../api/sandbox.ts';
import { guardedNames, guardedPatterns } from '../files/guarded-names.ts';
import { isWithin } from '../files/paths.ts';
import type { Boundary } from './boundary.ts';

/** Paths that a program of macOS needs to run at all. */
const system =
  '/usr /bin /sbin /System /Library /opt /nix/store /dev /private/etc /private/var/select /private/var/db/timezone /private/var/db/dyld'.split(
    ' ',
  );
/** World-writable folders, which contain sockets and files of other programs. */
const shared = ['/private/tmp', '/private/var/tmp', '/private/var/folders', '/private/var/run', '/Volumes'];
const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper'];
const services = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.logger',
  'com.apple.system.notification_center',
];
/** Services for name resolution and certificate checks. */
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
  /** A folder for temporary files that only this program uses. */
  readonly temporary: string;
}

/**
 * The same boundary as bubblewrap's as a profile of macOS' `sandbox-exec`. What is not allowed is denied. The last
 * matching rule applies.
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

/** From the outside in, because the last rule applies. */
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
    // Moving a folder away would move protected files along and make room for others.
    rule('deny', 'file-write-unlink', [...above].map(literal)),
  ];
}

function foldersBetween(path: string, folders: readonly string[]): readonly string[] {
  const above = dirname(path);
  if (above === path || !folders.some((folder) => isWithin(folder, above))) return [];
  return [...foldersBetween(above, folders), above];
}

/** Maximum names in one filter. Some versions reject longer expressions. */
const namesInFilter = 20;

/** Everything with a guarded name in `folder`, existing or not. All names with a leading dot count, even harmless ones. */
function guardedIn(folder: string, isShallow: boolean): readonly string[] {
  const names = ['[.][^/]*', ...guardedPatterns, ...[...guardedNames].map(escape)].map(inAnyCase);
  const start = `^${escape(folder)}/${isShallow ? '' : '([^/]*/)*'}`;
  const filters: string[] = [];
  for (let from = 0; from < names.length; from += namesInFilter)
    filters.push(`(regex #"${start}(${names.slice(from, from + namesInFilter).join('|')})(/|$)")`);
  return filters;
}

/** The file system ignores case. Character classes are left unchanged. */
const inAnyCase = (expression: string): string =>
  expression.replace(/\[[^\]]*\]|[a-z]/g, (part) =>
    part.startsWith('[')
      ? part.replace(/[a-z]/g, (letter) => letter + letter.toUpperCase())
      : `[${part}${part.toUpperCase()}]`,
  );

/** For a quoted expression. A quote or line end becomes "any character". */
const escape = (text: string): string =>
  text.replace(/["\n\r\\^$*+?.()[\]{}|]/g, (character) =>
    '"\n\r'.includes(character) ? '.' : `\\${character}`,
  );

/** Empty without filters: a rule without filters would apply to everything. */
const rule = (decision: 'allow' | 'deny', operations: string, filters: readonly string[]): string =>
  filters.length === 0 ? '' : `(${decision} ${operations}\n  ${filters.join('\n  ')})`;

const subpath = (path: string): string => `(subpath ${quoted(path)})`;
const literal = (path: string): string => `(literal ${quoted(path)})`;
const serviceNamed = (name: string): string => `(global-name ${quoted(name)})`;

/** A string literal of the profile language. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
