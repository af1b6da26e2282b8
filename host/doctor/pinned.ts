import { relative } from 'node:path';
import { pegboard } from '../core/own-command.ts';
import type { Check } from '../api/diagnostic.ts';
import type { Host } from '../host.ts';
import type { McpServerConfig } from '../sources/mcp/config.ts';
import { warning } from '../status/check.ts';

/** Code that can change without being reviewed. */
export function* checkPinned({ config, home, spaces }: Host): Iterable<Check> {
  for (const [name, { config: server, origin }] of config.servers) {
    const what = server.enabled === false ? undefined : unpinned(server);
    if (what === undefined) continue;
    const { spec, exact } = what;
    yield warning(
      `mcp ${name}`,
      `runs whatever version of ${spec} is the newest when it starts`,
      `write ${exact}, with the version that you reviewed, in args of mcpServers.${name} in ${relative(home, origin)}`,
    );
  }
  for (const { id } of spaces.all) {
    if (config.spaces[id]?.trusted !== true) continue;
    yield warning(
      `space ${id}`,
      'its files are used without review, now and after every change, because trusted: true is set',
      `take trusted out of spaces.${id} in pegboard.yaml, if somebody else writes it`,
    );
  }
  for (const [id, { trusted, enabled }] of Object.entries(config.plugins)) {
    if (trusted !== true || enabled === false) continue;
    yield warning(
      `plugin ${id}`,
      'its code runs without review, now and after every change, because trusted: true is set',
      `take trusted out of plugins.${id} in pegboard.yaml, then ${pegboard} approvals allow ${id} approves it as it is`,
    );
  }
}

interface Unpinned {
  readonly spec: string;
  /** The word with a pinned version. */
  readonly exact: string;
}

/** Programs that fetch the package they run: the words before its name, and how a version is written. */
const fetchers: { readonly [program: string]: { readonly words: readonly string[]; readonly mark: string } } =
  {
    npx: { words: [], mark: '@' },
    bunx: { words: [], mark: '@' },
    pnpx: { words: [], mark: '@' },
    npm: { words: ['exec'], mark: '@' },
    pnpm: { words: ['dlx'], mark: '@' },
    yarn: { words: ['dlx'], mark: '@' },
    uvx: { words: [], mark: '==' },
    pipx: { words: ['run'], mark: '==' },
  };
/** Options whose value is the package, and options that take another value. */
const packageOptions = new Set(['-p', '--package', '--from', '--spec']);
const otherOptions = new Set(['-c', '--call', '--python', '--registry', '--index-url', '--with']);

function unpinned({ command, args = [] }: McpServerConfig): Unpinned | undefined {
  const program =
    command
      ?.split('/')
      .at(-1)
      ?.replace(/\.(?:cmd|exe)$/, '') ?? '';
  const fetcher = Object.hasOwn(fetchers, program) ? fetchers[program] : undefined;
  if (!fetcher || fetcher.words.some((word, at) => args[at] !== word)) return undefined;
  const spec = packageIn(args.slice(fetcher.words.length));
  // A path, a URL and a variable are not packages of a registry.
  if (spec === undefined || /^[./~]|:|\$\{/.test(spec)) return undefined;
  const [, name = spec, version] = /^(@?[^@=<>~!]+)(?:@|==)?(.*)$/.exec(spec) ?? [];
  if (/^v?\d+\.\d+(?:\.\d+)?[\w.+-]*$/.test(version ?? '')) return undefined;
  return { spec, exact: `${name}${fetcher.mark}VERSION` };
}

function packageIn(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    const [option = '', value] = arg.split('=', 2);
    if (packageOptions.has(option)) return value ?? args[at + 1];
    if (otherOptions.has(arg)) at++;
    else if (!arg.startsWith('-')) return arg;
  }
  return undefined;
}
