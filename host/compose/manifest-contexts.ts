import { isSecretName } from '../core/secrets/secret-names.ts';
import { handlerCodeOf } from '../plugins/loading/space-code.ts';
import { checkTrust } from '../plugins/loading/trust.ts';
import type { ManifestContext } from '../sources/manifests/run/context.ts';
import { serverNamed, type ServerSet } from '../sources/mcp/server-set.ts';
import type { SpacePins } from '../spaces/pinned/space-pins.ts';
import type { Foundation } from './foundation.ts';

export interface ManifestContexts {
  /** A plugin is trusted with everything in it. */
  readonly ofPlugins: ManifestContext;
  /** A space's code is trusted separately, and spaces of others are held to what was approved. */
  readonly ofSpaces: ManifestContext;
}

/** The context that tools in manifests run with. */
export function manifestContexts(
  { resolve, resolveForSpaces, secrets, redactor, fileOrigins, trust, development, config }: Foundation,
  { servers, pins }: { readonly servers: ServerSet; readonly pins: SpacePins },
): ManifestContexts {
  const ofPlugins: ManifestContext = {
    resolve,
    isSecret: (name) => isSecretName(name) || secrets.get(name) !== undefined,
    redactor,
    checkCode: () => {},
    checkPinned: () => {},
    runMcp: (server, tool, args, call) => serverNamed(servers, server).callTool(tool, args, call),
    fileOrigins,
  };
  return {
    ofPlugins,
    ofSpaces: {
      ...ofPlugins,
      resolve: resolveForSpaces,
      checkCode(root) {
        const manifest = handlerCodeOf(root);
        checkTrust(manifest, config.current.config.plugins[manifest.id], { trust, development });
      },
      checkPinned: (root, path) => pins.check(root, path),
    },
  };
}
