import type { ModelsConfig } from '../../../formats/models.ts';
import { listModels } from '../wire/ask-server.ts';
import { fullName, providerHint, type ChosenModel } from './choose.ts';
import { findProvider, type Environment } from './provider.ts';

const timeoutMs = 5000;

/**
 * Servers have models such as "maker/model", so a name whose first part is no provider goes to the home's provider. Some
 * servers answer for any name: a mistyped provider would not be noticed. Returns what is wrong where the server has a list
 * without the name.
 */
export async function unlistedName(
  reference: string,
  choice: ChosenModel,
  config: ModelsConfig,
  environment: Environment,
): Promise<string | undefined> {
  const slash = reference.indexOf('/');
  const prefix = reference.slice(0, Math.max(0, slash));
  if (prefix === '' || findProvider(prefix, config, environment)) return undefined;
  const listed = await listModels(choice.provider, timeoutMs);
  if (!listed || listed.includes(reference)) return undefined;
  const { id } = choice.provider;
  return `There is no provider "${prefix}", and ${id} lists no model "${reference}". ${providerHint(reference, prefix, config)} If ${id} has it all the same, write "${fullName(choice)}".`;
}
