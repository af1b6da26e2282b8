import { isAbsolute, join } from 'node:path';
import { lastingNode, packageRoot } from 'pegboard/kit';
import { type Context, parseAddress } from 'pegboard/terminal';
import { servedToken } from '../serving/served-token.ts';
import type { OwnServer } from './clients.ts';

/**
 * How another program starts this installation for this home, from any folder; or with --http, the URL of `pegboard serve
 * --http`. Throws PEG_USAGE and PEG_CONFIG.
 */
export async function ownServer({ home, options, command, surroundings }: Context): Promise<OwnServer> {
  const http = options.value('http');
  if (http !== undefined) {
    const { address = '127.0.0.1', port } = parseAddress(http, command);
    const token = await servedToken(home, surroundings);
    const preset = options.value('preset');
    const path = preset === undefined ? '/mcp' : `/mcp/${encodeURIComponent(preset)}`;
    return {
      url: `http://${address.includes(':') ? `[${address}]` : address}:${port}${path}`,
      headers: { Authorization: `Bearer ${token}` },
    };
  }
  const preset = options.value('preset');
  const state = surroundings.env['XDG_STATE_HOME'];
  return {
    command: lastingNode(surroundings),
    args: [
      join(packageRoot, 'bin/pegboard.cjs'),
      '--home',
      home,
      'serve',
      '--stdio',
      ...(preset === undefined ? [] : ['--preset', preset]),
    ],
    // Clients don't have the variables of this shell, and this one says where approvals are kept.
    ...(state !== undefined && isAbsolute(state) && { env: { XDG_STATE_HOME: state } }),
  };
}
