import { join, relative } from 'node:path';
import { isSecretName } from '../core/secrets/secret-names.ts';
import { offerHostModules } from '../plugins/loading/generations.ts';
import { confineImports, requireApproved } from '../plugins/loading/import-boundary.ts';
import { handlerCodeOf } from '../plugins/loading/space-code.ts';
import { trustedVersion } from '../plugins/loading/trust.ts';
import { runBridgeTool } from '../sources/bridge/run.ts';
import type { ManifestContext } from '../sources/manifests/run/context.ts';
import { Scripts } from '../api/services/scripts.ts';
import type { PluginSet } from '../plugins/plugin-set.ts';
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
  {
    home,
    surroundings,
    resolve,
    resolveForSpaces,
    whyUnset,
    secrets,
    redactor,
    fileOrigins,
    trust,
    development,
    config,
  }: Foundation,
  {
    servers,
    plugins,
    pins,
  }: { readonly servers: ServerSet; readonly plugins: PluginSet; readonly pins: SpacePins },
): ManifestContexts {
  const scripts = plugins.use(Scripts);
  const ofPlugins: ManifestContext = {
    resolve,
    user: surroundings,
    whyUnset,
    isSecret: (name) => isSecretName(name) || secrets.get(name) !== undefined,
    redactor,
    runnableFile: (_root, file) => file,
    checkPinned: () => {},
    runMcp: (server, tool, args, call) => serverNamed(servers, server).callTool(tool, args, call),
    runScript: (program, call, options) => scripts(({ run }) => run(program, call, options)),
    runBridge: runBridgeTool,
    fileOrigins,
    linkTargets: [home],
  };
  return {
    ofPlugins,
    ofSpaces: {
      ...ofPlugins,
      resolve: resolveForSpaces,
      runnableFile(root, file) {
        const manifest = handlerCodeOf(root);
        const settings = config.current.config.plugins[manifest.id];
        const version = trustedVersion(manifest, settings, { trust, development });
        const runnable = version.waiting ? join(version.manifest.folder, relative(root, file)) : file;
        offerHostModules();
        confineImports(version.manifest, version.isPinned);
        requireApproved(version.manifest, runnable);
        return runnable;
      },
      checkPinned: (root, path) => pins.check(root, path),
    },
  };
}
