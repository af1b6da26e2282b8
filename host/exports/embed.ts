/** "pegboard/embed": a host inside another program. */
export { createHost } from '../create-host.ts';
export type { Host, HostOptions } from '../host.ts';
