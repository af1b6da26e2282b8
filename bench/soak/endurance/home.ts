import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelsOf } from '../../../host/testing/index.ts';
import { openHome, token, type BenchHome } from '../../kit/home.ts';

const echo = join(import.meta.dirname, '../../echo-server.ts');
/**
 * A server that is killed twice within ten seconds is not restarted for a while, so several of them allow more kills.
 */
export const servers = ['echo-0', 'echo-1', 'echo-2', 'echo-3'] as const;

export const changing = {
  manifest: 'spaces/bench/agent/tools/say.md',
  plugin: 'plugins/changing/index.ts',
} as const;

/** A busy home: servers, a plugin that talks to the agent and one that changes. */
export function openBusyHome(model: { readonly baseUrl: string }): BenchHome {
  const home = openHome({
    plugins: {
      'driving/plugin.yaml': pluginManifest('driving'),
      'driving/index.ts': driving,
      'changing/plugin.yaml': pluginManifest('changing'),
      'changing/index.ts': changingPlugin(0),
    },
  });
  const config = {
    serve: { token },
    models: modelsOf(model),
    mcpServers: Object.fromEntries(
      servers.map((name) => [name, { command: process.execPath, args: [echo, name] }]),
    ),
    plugins: { driving: { trusted: true }, changing: { trusted: true } },
  };
  writeFileSync(home.path('pegboard.yaml'), JSON.stringify(config));
  writeFileSync(home.path(changing.manifest), sayManifest(0));
  return home;
}

export const sayManifest = (version: number): string => `---
id: say
name: Say
description: Says its version
readOnly: true
command: echo version ${version}
---
`;

/** A plugin that holds memory as long as this version is in service. */
export const changingPlugin = (version: number): string => `export default {
  setup() {
    const words = Array.from({ length: 1_000 }, (_, at) => 'word ' + at + ' of ${version}');
    const version = {
      name: 'changing_version',
      description: 'Its version',
      parameters: { type: 'object', properties: {} },
      execute: () => words[0],
    };
    return { packs: { changing: [version] } };
  },
};
`;

const pluginManifest = (id: string): string => `id: ${id}
version: "1.0.0"
description: Part of a soak
packs:
  ${id}:
    description: Part of a soak
`;

/**
 * A plugin that talks with the agent, and records the longest stall of the event loop in each second: according to
 * monitorEventLoopDelay, and without the time spent waiting for a processor (proc_pid_schedstat), which other programs
 * on the machine cause.
 */
const driving = `import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
export default {
  setup(context) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const waited = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
    let [at, before, most] = [performance.now(), waited(), 0];
    const ticks = setInterval(() => {
      const [now, wait] = [performance.now(), waited()];
      most = Math.max(most, now - at - (wait - before));
      [at, before] = [now, wait];
    }, 5);
    const timer = setInterval(() => {
      appendFileSync(join(context.home, 'stalls'), [Date.now(), delay.max / 1e6, most].join(' ') + '\\n');
      delay.reset();
      most = 0;
    }, 1_000);
    context.signal.addEventListener('abort', () => { clearInterval(timer); clearInterval(ticks); });
    return {
      packs: {
        driving: [
          {
            name: 'driving_talk',
            description: 'Talks',
            timeout: 300,
            parameters: { type: 'object', properties: { chat: { type: 'string' }, text: { type: 'string' } } },
            execute: async ({ chat, text }) =>
              (await context.converse({ source: 'soak', externalId: chat, text })).text,
          },
        ],
      },
    };
  },
};
`;
