import type { Host } from '../../host.ts';
import type { ServedHost } from '../mcp-server/served-host.ts';

/** The host as MCP clients get to know it. Servers and presets follow the configuration. */
export function toServedHost(host: Host): ServedHost {
  return {
    registry: host.registry,
    dispatch: host.dispatch,
    log: host.log.child('mcp-server'),
    version: host.version,
    get upstreams() {
      return host.servers.all;
    },
    get presets() {
      return Object.fromEntries(host.config.presets);
    },
  };
}
