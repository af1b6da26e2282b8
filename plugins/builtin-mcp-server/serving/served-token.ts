import { loadConfig, resolverOf } from 'pegboard/home';
import type { User } from 'pegboard/files';
import { brokenConfig, userStateOf, withSharedServing } from 'pegboard/serving';
import { keepTexts, keptToken } from '../http/kept-texts.ts';

/** The token that `pegboard serve --http` asks clients of this home for. Throws PEG_CONFIG where its settings can't be read. */
export async function servedToken(home: string, user: User): Promise<string> {
  const loaded = await loadConfig(home, { ...user, resolve: resolverOf(home, user) });
  if (loaded.broken) throw brokenConfig(loaded);
  return (
    loaded.config.serve.token ??
    (await withSharedServing(home, user, (shared) =>
      keptToken(keepTexts(userStateOf(home, user), shared?.texts)),
    ))
  );
}
