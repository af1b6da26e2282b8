import { openSync, readFileSync, readdirSync } from 'node:fs';
import type { StdioOptions } from 'node:child_process';

type Stdio = Exclude<StdioOptions, string>;

/**
 * The `stdio` of a child process that gets these streams, from 0 on, and no others. Node closes its own descriptors in
 * children, but not those that it inherited, so /dev/null replaces them.
 */
export function childStdio(streams: Stdio): Stdio {
  const last = Math.max(-1, ...inherited());
  if (last < streams.length) return streams;
  const all: Stdio = [...streams];
  for (let place = streams.length; place <= last; place++)
    all.push(inherited().includes(place) ? (nothing ??= openSync('/dev/null', 'r+')) : 'ignore');
  return all;
}

let nothing: number | undefined;
let found: readonly number[] | undefined;

/** The descriptors that this process inherited besides its standard streams, and would pass on. Determined once. */
function inherited(): readonly number[] {
  return (found ??= descriptors().filter((place) => place > 2 && staysOpen(place)));
}

function descriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return []; // No /proc: Node closes those that directly follow the standard streams.
  }
}

const closesOnExec = 0o2000000;

function staysOpen(place: number): boolean {
  try {
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${place}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closesOnExec) === 0;
  } catch {
    return false; // The descriptor that was used for listing.
  }
}
