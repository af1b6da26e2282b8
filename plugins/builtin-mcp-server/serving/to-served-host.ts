import type { Host } from 'pegboard/embed';
import type { ToolPreset } from 'pegboard/serving';
import { type Context, modeOption } from 'pegboard/terminal';
import type { ServedHost } from '../served-host.ts';

/** The host as MCP clients see it. Servers and presets follow the configuration; `--mode` overrides it. */
export function toServedHost(host: Host, context: Pick<Context, 'options' | 'command'>): ServedHost {
  const { mode: configured, contextWindow, firstListTimeout } = host.config.serve;
  const mode = context.options.value('mode') === undefined ? configured : modeOption(context);
  return {
    ...(mode && { mode }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(firstListTimeout !== undefined && { firstListTimeoutMs: firstListTimeout * 1000 }),
    clock: host.surroundings.clock,
    registry: host.registry,
    dispatch: host.dispatch,
    tasks: host.tasks,
    log: host.log.child('mcp-server'),
    version: host.version,
    get upstreams() {
      return host.servers.all;
    },
    get toolPreset() {
      return servedPreset(host.config);
    },
    get presets() {
      return Object.fromEntries(host.config.presets);
    },
  };
}

const served = new WeakMap<Host['config'], ToolPreset>();

/** The same object for the same configuration. */
function servedPreset(config: Host['config']): ToolPreset {
  const { serve, toolPreset } = config;
  let preset = served.get(config);
  if (!preset) served.set(config, (preset = { ...toolPreset, ...(serve.preset && { name: serve.preset }) }));
  return preset;
}
