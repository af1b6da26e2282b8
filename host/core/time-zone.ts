import { readlinkSync } from 'node:fs';
import { thisPlatform } from './platform/this-platform.ts';

const zones = '/zoneinfo/';

/**
 * This machine's time zone by its IANA name: "Europe/Berlin". From the link that systems keep it in; asking Intl loads
 * its tables, which takes as long as a third of a command's start.
 */
export function localTimeZone(environment: NodeJS.ProcessEnv): string {
  if (environment['TZ'] === undefined) {
    try {
      const target = readlinkSync('/etc/localtime');
      const at = target.indexOf(zones);
      if (at >= 0) return target.slice(at + zones.length);
    } catch (cause) {
      // Without the file, Linux is in UTC.
      if (thisPlatform === 'linux' && (cause as NodeJS.ErrnoException).code === 'ENOENT') return 'UTC';
    }
  }
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
