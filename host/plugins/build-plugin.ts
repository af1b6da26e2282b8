import type { Diagnostic } from '../api/diagnostic.ts';
import type { Plugin } from '../api/plugin.ts';
import { PegboardError } from '../core/errors.ts';
import type { Platform } from '../core/requirements.ts';
import type { TrustStore } from '../store/owner/trust.ts';
import type { PluginServices } from './context.ts';
import { startPlugin, type PluginInstance } from './instance.ts';
import { readManifest } from './loading/discover.ts';
import { importDynamicPack } from './loading/import-dynamic.ts';
import { confineImports } from './loading/import-boundary.ts';
import { importPlugin } from './loading/import.ts';
import type { PluginManifest } from './loading/manifest.ts';
import type { PluginSettings } from '../formats/config.ts';
import { prepare } from './loading/prepare.ts';
import { trustedVersion } from './loading/trust.ts';
import { requireValid } from './manifest-tools.ts';

export interface BuildPolicy {
  readonly trust: TrustStore;
  readonly environment: Platform;
  /** Without the variables of the home's .env: for code of spaces. */
  readonly environmentOfSpaces: Platform;
  /** Plugins run without being trusted first. */
  readonly development: boolean;
  /** Only built-in plugins run, and with default settings. */
  readonly reading?: boolean;
}

export interface BuildRequest {
  readonly settings: PluginSettings | undefined;
  readonly services: PluginServices;
  readonly enabled: ReadonlyMap<string, PluginManifest>;
  /** Resolves when that plugin runs or has failed. */
  readonly startsUp: (id: string) => Promise<boolean>;
  /** The code was imported before and has to be imported again. */
  readonly reimports: boolean;
  /** An older instance runs. It is kept when the new one's manifests have mistakes. */
  readonly replaces: boolean;
}

export interface BuiltPlugin {
  readonly instance: PluginInstance;
  /** Why the approved version runs instead of the files as they are now. */
  readonly waiting?: PegboardError;
}

/**
 * A new instance of a plugin from its files as they are now, or as they were approved. Rejects when it is untrusted,
 * incomplete or broken.
 */
export async function buildPlugin(
  found: PluginManifest,
  { services, enabled, startsUp, ...request }: BuildRequest,
  { trust, environment, environmentOfSpaces, development, reading = false }: BuildPolicy,
): Promise<BuiltPlugin> {
  const settings = reading ? undefined : request.settings;
  const version = trustedVersion(found, settings, { trust, development, reading });
  const manifest = version.waiting ? await asApproved(version.manifest) : version.manifest;
  const resolve = (name: string): string | undefined => services.resolve(name);
  const config = await prepare(manifest, settings, { environment, resolve, enabled, startsUp });
  const skipped: Diagnostic[] = [];
  const load = async (): Promise<Plugin> => {
    confineImports(manifest, version.isPinned);
    if (!manifest.dynamic) return await importPlugin(manifest, request.reimports);
    return await importDynamicPack(manifest, {
      environment: environmentOfSpaces,
      resolve: (name) => services.resolveForSpaces(name),
      report: (diagnostic) => void skipped.push(diagnostic),
    });
  };
  const started = await startPlugin(manifest, load, config, services);
  const instance = { ...started, diagnostics: [...started.diagnostics, ...skipped] };
  try {
    if (request.replaces) await requireValid(instance.manifestTools);
    return { instance, ...(version.waiting && { waiting: version.waiting }) };
  } catch (cause) {
    await instance[Symbol.asyncDispose]();
    throw cause;
  }
}

/** With what the approved plugin.yaml says. */
async function asApproved(copy: PluginManifest): Promise<PluginManifest> {
  if (copy.dynamic) return copy;
  const { manifest } = await readManifest(copy.folder, copy.boundary);
  if (manifest?.id === copy.id) return { ...manifest, path: copy.path };
  throw new PegboardError('PEG_CONFIG', `the approved plugin.yaml in ${copy.folder} can't be read.`);
}
