import type { Diagnostic } from '../api/diagnostic.ts';
import type { Plugin } from '../api/plugin.ts';
import type { Platform } from '../core/requirements.ts';
import type { TrustStore } from '../store/owner/trust.ts';
import type { PluginServices } from './context.ts';
import { startPlugin, type PluginInstance } from './instance.ts';
import { importDynamicPack } from './loading/import-dynamic.ts';
import { importPlugin } from './loading/import.ts';
import type { PluginManifest, PluginSettings } from './loading/manifest.ts';
import { prepare } from './loading/prepare.ts';
import { checkTrust } from './loading/trust.ts';
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

/** A new instance of a plugin from its files as they are now. Rejects when it is untrusted, incomplete or broken. */
export async function buildPlugin(
  manifest: PluginManifest,
  { services, enabled, startsUp, ...request }: BuildRequest,
  { trust, environment, environmentOfSpaces, development, reading = false }: BuildPolicy,
): Promise<PluginInstance> {
  const settings = reading ? undefined : request.settings;
  checkTrust(manifest, settings, { trust, development, reading });
  const resolve = (name: string): string | undefined => services.resolve(name);
  const config = await prepare(manifest, settings, { environment, resolve, enabled, startsUp });
  const skipped: Diagnostic[] = [];
  const load = async (): Promise<Plugin> => {
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
    return instance;
  } catch (cause) {
    await instance[Symbol.asyncDispose]();
    throw cause;
  }
}
