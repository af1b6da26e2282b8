import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { trustHome } from './trust.ts';

/** A home in a temporary folder, removed when disposed. */
export interface BenchHome extends Disposable {
  readonly folder: string;
  path(name: string): string;
}

export type Servers = Readonly<
  Record<string, { readonly url: string } | { readonly args: readonly string[] }>
>;

export interface HomeParts {
  readonly servers?: Servers;
  /** The number of Markdown tools in its space. */
  readonly manifests?: number;
  /** Files of plugins, trusted, by path: "counting/index.ts". */
  readonly plugins?: Readonly<Record<string, string>>;
  /** The URL of a Postgres, instead of its file. */
  readonly state?: string;
}

/** The token of a home that is served over HTTP. */
export const token = 'a-token-that-only-the-benchmark-knows';

/** Number of a home's generated tools. */
export const manifestPath = (index: number): string => `spaces/bench/agent/tools/tool-${index}.md`;

export function openHome({ servers = {}, manifests = 0, plugins = {}, state }: HomeParts = {}): BenchHome {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pegboard-bench-')));
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  const mcpServers = Object.entries(servers).map(([name, server]) => [
    name,
    'url' in server ? server : { command: process.execPath, args: server.args },
  ]);
  const ids = Object.keys(plugins).map((file) => file.split('/')[0]!);
  const config = {
    serve: { token },
    mcpServers: Object.fromEntries(mcpServers),
    plugins: Object.fromEntries(ids.map((id) => [id, { trusted: true }])),
    ...(state !== undefined && { state }),
  };
  // JSON is YAML.
  write('pegboard.yaml', `${JSON.stringify(config)}\n`);
  write(
    'spaces/bench/space.manifest.json',
    '{ "id": "bench", "name": "Bench", "description": "Measured" }\n',
  );
  write('spaces/bench/agent/tools/hello.md', hello);
  trustHome(folder);
  for (const [file, text] of Object.entries(plugins)) write(`plugins/${file}`, text);
  for (let index = 0; index < manifests; index++) write(manifestPath(index), manifest(index));
  return { folder, path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const hello = `---
id: hello
name: Hello
description: Greets somebody
parameters:
  - { name: who, type: string, description: Whom to greet, required: true }
command: echo Hello {{who}}
---
`;

const conditions = '{{#if follow}}--follow{{/if}} {{#if level}}--priority {{level}}{{/if}}';

/** A tool of typical size: four parameters and some text. Every fourth one has conditions in its command. */
export function manifest(index: number, description = 'Shows the log of one service'): string {
  return `---
id: tool-${index}
name: Tool ${index}
description: ${description}, number ${index}
category: operations
tags: [logs, service, number-${index}]
parameters:
  - name: service
    type: string
    description: Which service
    required: true
  - name: lines
    type: integer
    description: How many lines from the end
    default: 100
    minimum: 1
    maximum: 10000
  - name: level
    type: string
    description: Only lines of this level
    enum: [debug, info, warning, error]
  - name: follow
    type: boolean
    description: Go on as lines are written
command: journalctl --unit {{service}} --lines {{lines}} ${index % 4 === 0 ? conditions : '--priority {{level}}'}
timeout: 30
---

# Tool ${index}

Use it when something looks wrong with a service. Start with a hundred lines, and look for the first error:
what follows it is mostly a consequence.
`;
}
