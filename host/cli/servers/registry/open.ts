import { absolutePath } from '../../absolute-path.ts';
import { brokenConfig, loadConfigWithoutSecrets } from '../../../config.ts';
import { openHomeRegistry, isUrl } from '../../../servers/registry/home-registry.ts';
import { openRegistry, type ServerRegistry } from '../../../sources/mcp/registry/open-registry.ts';
import type { Context } from '../../command.ts';

/** The registry of --registry, else the one that the home names, unless the home is unknown. Throws PEG_CONFIG. */
export async function openConfiguredRegistry({
  home,
  homeTrust,
  surroundings,
  options,
}: Context): Promise<ServerRegistry> {
  const given = options.value('registry');
  if (given !== undefined) return openRegistry(isUrl(given) ? given : absolutePath(given, surroundings));
  if (homeTrust !== 'known') return openHomeRegistry(home, {});
  const loaded = await loadConfigWithoutSecrets(home, surroundings);
  if (loaded.broken) throw brokenConfig(loaded);
  return openHomeRegistry(home, loaded.config);
}
