import { isAbsolute, join } from 'node:path';
import type { User } from '../../core/platform/places.ts';
import { brokenConfig, loadConfig } from '../../config.ts';
import { packageRoot } from '../../core/files/paths.ts';
import { lastingNode } from '../../core/platform/programs.ts';
import { userStateOf } from '../../store/owner/user-state.ts';
import { resolverOf } from '../../compose/home-secrets.ts';
import { withSharedServing } from '../../compose/home-serving.ts';
import { keepTexts, keptToken } from '../../../plugins/builtin-mcp-server/http/kept-texts.ts';
import type { Context } from '../command.ts';
import { parseAddress } from '../serving/address.ts';
import type { OwnServer } from './clients.ts';

/**
 * How another program starts this installation for this home, from any folder; or with --http, the URL of `pegboard serve
 * --http`. Throws PEG_USAGE and PEG_CONFIG.
 */
export async function ownServer({ home, options, command, surroundings }: Context): Promise<OwnServer> {
  const http = options.value('http');
  if (http !== undefined) {
    const { address = '127.0.0.1', port } = parseAddress(http, command);
    const loaded = await loadConfig(home, {
      ...surroundings,
      resolve: resolverOf(home, surroundings),
    });
    if (loaded.broken) throw brokenConfig(loaded);
    const token = loaded.config.serve.token ?? (await ownToken(home, surroundings));
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

const ownToken = (home: string, user: User): Promise<string> =>
  withSharedServing(home, user, (shared) => keptToken(keepTexts(userStateOf(home, user), shared?.texts)));
