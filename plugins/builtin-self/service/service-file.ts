import { hash } from 'node:crypto';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { PegboardError, type Surroundings } from 'pegboard';
import { realPathOf } from 'pegboard/files';
import { lastingNode, packageRoot, shellFolders } from 'pegboard/kit';

/** What a service runs. */
export interface ServicePlan {
  /** The same for each command on one home, and different for every home. */
  readonly name: string;
  /** Absolute. */
  readonly home: string;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Never a secret: the host reads those of the home itself. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Variables with paths that a service manager doesn't have and that change what the host finds. */
const passed = ['XDG_STATE_HOME', 'NODE_EXTRA_CA_CERTS'] as const;

/** `pegboard-NAME-HASH`, where NAME is the home's folder. */
export function serviceName(home: string): string {
  const path = realPathOf(home);
  const folder = basename(path)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `pegboard-${folder === '' || folder === 'pegboard' ? 'home' : folder}-${hash('sha256', path).slice(0, 8)}`;
}

/** Throws PEG_USAGE for an installation or a home that a service can't run. */
export function planService(
  home: string,
  http: string | undefined,
  { env }: Pick<Surroundings, 'env'>,
): ServicePlan {
  if (/[\\/]_npx[\\/]/.test(packageRoot))
    throw new PegboardError(
      'PEG_USAGE',
      `This Pegboard is in a folder that npx may clear (${packageRoot}), so a service can't rely on it. Install it first, then run this again.`,
    );
  const node = lastingNode({ env });
  const argv = [
    node,
    join(packageRoot, 'bin/pegboard.cjs'),
    '--home',
    home,
    'start',
    ...(http === undefined ? [] : ['--http', http]),
  ];
  const set = {
    PATH: servicePath(env['PATH'] ?? '', node),
    ...Object.fromEntries(
      passed.flatMap((name) => (isAbsolute(env[name] ?? '') ? [[name, env[name]!]] : [])),
    ),
  };
  for (const text of [...argv, ...Object.values(set)])
    if (/[\0-\x1f\x7f]/.test(text))
      throw new PegboardError(
        'PEG_USAGE',
        `A service can't run this home: ${JSON.stringify(text)} contains a control character.`,
      );
  return { name: serviceName(home), home, argv, environment: set };
}

/**
 * The PATH of the user's shell. A service runs in the home, where a relative folder would be one that agents can write
 * to. The folder of the running Node comes last, for MCP servers that npx starts where the PATH has no Node.
 */
function servicePath(path: string, node: string): string {
  const folders = shellFolders(path);
  const own = dirname(node);
  return [...folders, ...(folders.includes(own) ? [] : [own])].join(delimiter);
}
