import { join } from 'node:path';
import { configFor } from '../../homes/agent-home.ts';
import { manifest } from '../../homes/home.ts';

export const countingServer = join(import.meta.dirname, 'counting-server.ts');

/** Files that are saved repeatedly while the host runs, each time with a higher version. */
export const changing = {
  'spaces/s/agent/tools/say.md': (version: number): string =>
    manifest('say', `command: echo version ${version}`),
  'plugins/tally/index.ts': (version: number): string => tally.replace('VERSION', String(version)),
} as const;

/** All files of a home in which everything can be used. */
export function filesOf(
  home: string,
  model: { readonly baseUrl: string },
): { readonly [file: string]: string } {
  const counter = { command: process.execPath, args: [countingServer, join(home, 'counted')] };
  const config = {
    ...(JSON.parse(configFor(model)) as object),
    mcpServers: { counter },
    plugins: { tally: { trusted: true } },
  };
  return {
    'pegboard.yaml': JSON.stringify(config),
    'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
    'spaces/s/agent/tools/note.md': noting('note', ''),
    'spaces/s/agent/tools/later.md': noting('later', 'sleep 0.3 && '),
    'spaces/s/agent/tools/hang.md': manifest('hang', 'command: sleep 600.5'),
    'plugins/tally/plugin.yaml': tallyManifest,
    ...Object.fromEntries(Object.entries(changing).map(([file, text]) => [file, text(0)])),
  };
}

const noting = (id: string, before: string): string =>
  manifest(
    id,
    `parameters:
  - { name: text, type: string, required: true }
command: ${before}printf '%s\\n' {{text}} >> ${id}s.txt && echo It is noted.`,
  );

const tallyManifest = `id: tally
version: "1.0.0"
description: Marks what was done
packs:
  tally:
    description: Marks
`;

/** In a schedule's turn, its mark is the current occurrence. */
const tally = `import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const running = (home: string, schedule: number): string => {
  using database = new DatabaseSync(join(home, 'data/pegboard.db'), { readOnly: true, timeout: 5_000 });
  const run = database
    .prepare("select due_at from scheduler_runs where schedule_id = ? and state = 'running'")
    .get(schedule);
  return schedule + ' ' + String(run?.['due_at']);
};

export default {
  setup: ({ home }: { home: string }) => ({
    packs: {
      tally: [
        {
          name: 'tally_mark',
          description: 'Marks what was done',
          parameters: { type: 'object', properties: { text: { type: 'string' }, schedule: { type: 'integer' } } },
          execute({ text, schedule }: { text?: string; schedule?: number }): string {
            if (schedule === undefined) appendFileSync(join(home, 'marks'), text + '\\n');
            else appendFileSync(join(home, 'effects'), running(home, schedule) + '\\n');
            return 'It is marked.';
          },
        },
        {
          name: 'tally_version',
          description: 'Which version of it runs',
          parameters: { type: 'object', properties: {} },
          execute: (): string => 'version VERSION',
        },
      ],
    },
  }),
};
`;
