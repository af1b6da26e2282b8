import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import type { ServedHost } from '../../mcp-server/served-host.ts';
import { modeOption } from '../tools/mode-option.ts';

/** The host as MCP clients see it. Servers and presets follow the configuration; `--mode` overrides it. */
export function toServedHost(host: Host, context: Pick<Context, 'options' | 'command'>): ServedHost {
  const { mode: configured, contextWindow } = host.config.serve;
  const mode = context.options.value('mode') === undefined ? configured : modeOption(context);
  return {
    ...(mode && { mode }),
    ...(contextWindow !== undefined && { contextWindow }),
    registry: host.registry,
    dispatch: host.dispatch,
    tasks: host.tasks,
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
