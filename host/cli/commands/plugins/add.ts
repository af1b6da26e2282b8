import { relative } from 'node:path';
import { PegboardError } from '../../../core/errors.ts';
import type { Host } from '../../../host.ts';
import { placeNew } from '../../../plugins/elsewhere/place.ts';
import { isSameOrigin, parseSource, sourceText } from '../../../plugins/elsewhere/source.ts';
import type { StagedPlugin } from '../../../plugins/elsewhere/stage.ts';
import { pluginAsks } from '../../../approvals/plugin-asks.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { factsOf, originOf, sizeOf } from '../../plugins/describe-staged.ts';
import { approvePlaced, checkFree, findAdded, isRunning, stage, stateOf } from '../../plugins/elsewhere.ts';
import { isWanted, showStaged } from '../../plugins/review-staged.ts';
import { updateTo } from '../../plugins/update-plugin.ts';

/** Adds a plugin from npm's registry, a git repository or a path, once it was shown and agreed to. */
export const run: CommandHandler = async (context) => {
  const { words, terminal, options } = context;
  const source = parseSource(words[0]!, context.surroundings.cwd());
  const host = await context.openHost({ mcp: 'off' });
  using staged = await stage(source, context);
  checkFree(staged, host);
  if (stateOf(host, staged.manifest.id)) {
    const added = findAdded(host, staged.manifest.id);
    if (!isSameOrigin(parseSource(added.lock.source, host.home), source))
      throw new PegboardError(
        'PEG_DENIED',
        `There is a plugin ${staged.manifest.id} already, from ${added.lock.source}. Remove it before you add that of ${sourceText(source)}.`,
      );
    const updated = await updateTo(staged, added, host, context);
    if (options.flag('json')) terminal.json(updated);
    return updated.status === 'failed' ? 1 : 0;
  }
  return await addNew(staged, host, context);
};

async function addNew(staged: StagedPlugin, host: Host, context: Context): Promise<number> {
  const { terminal, options } = context;
  const { manifest, lock } = staged;
  const { id, version, description } = manifest;
  const facts = { ...originOf(staged), ...factsOf(manifest, lock), size: [sizeOf(staged)] };
  const lines = showStaged(staged, { title: version, facts }, host, context);
  const json = options.flag('json');
  const { source, resolved, integrity, publisher, packages } = lock;
  const described = {
    id,
    version,
    description,
    source,
    resolved,
    ...(integrity !== undefined && { integrity }),
    ...(publisher !== undefined && { publisher }),
    asks: pluginAsks(manifest),
    files: Object.keys(lock.files),
    bytes: staged.bytes,
    packages: packages?.installed ?? {},
  };
  if (options.flag('dry-run')) {
    if (json) terminal.json({ ...described, added: false });
    else terminal.out.line('Nothing was changed.');
    return 0;
  }
  if (!(await isWanted(`Add ${id}, and run its code with all your rights?`, context, lines)))
    throw new PegboardError('PEG_DECLINED', 'Nothing was changed.');
  await placeNew(host.home, id, manifest.folder);
  await approvePlaced(host, staged.hash, id);
  // Hosts that run already see the new folder themselves.
  await host.plugins.reload(id);
  const state = stateOf(host, id);
  const folder = state?.manifest.folder ?? '';
  const { out, err } = terminal;
  if (json)
    terminal.json({
      ...described,
      added: true,
      folder,
      state: state?.state,
      ...(state?.problem !== undefined && { problem: state.problem }),
    });
  else {
    out.line(
      `${out.style.good('added:')} ${id} ${version} in ${relative(host.home, folder)}. It is trusted until one of its files changes.`,
    );
    if (state?.problem !== undefined) err.line(err.style.warning(state.problem));
  }
  return isRunning(state) || state?.state === 'disabled' || lacksRequirement(host, id) ? 0 : 1;
}

/** It waits for something that its user has to provide, such as a secret. */
const lacksRequirement = (host: Host, id: string): boolean =>
  host.plugins.diagnostics.some(
    ({ code, path }) => code === 'missing-requirement' && path === stateOf(host, id)?.manifest.path,
  );
