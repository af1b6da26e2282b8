import { toJson } from '../../core/documents/written-numbers.ts';
import { pegboard } from '../../core/own-command.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import { differenceFromLock } from '../../plugins/elsewhere/check-lock.ts';
import { placeInstead } from '../../plugins/elsewhere/place.ts';
import type { PluginLock } from '../../plugins/elsewhere/lock.ts';
import type { StagedPlugin } from '../../plugins/elsewhere/stage.ts';
import { hashCode } from '../../plugins/loading/folder-hash.ts';
import type { Context } from '../command.ts';
import { oneLine } from '../terminal/safe.ts';
import { changedFacts, factsOf, originOf, sizeOf } from './describe-staged.ts';
import { approvePlaced, stateOf, type AddedPlugin } from './elsewhere.ts';
import { isWanted, showStaged } from './review-staged.ts';
import { stateInNewProcess, type FoundState } from './state-in-new-process.ts';

export interface UpdatedPlugin {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** `kept`: the owner declined, or only looked. `failed`: the new version doesn't run, so the one before is back. */
  readonly status: 'updated' | 'current' | 'kept' | 'failed';
  /** Its tag names another commit than when it was added. */
  readonly moved?: MovedTag;
  readonly changes?: Readonly<Record<string, readonly string[]>>;
  readonly problem?: string;
}

interface MovedTag {
  readonly tag: string;
  /** Commits. */
  readonly from: string;
  readonly to: string;
}

/** Undefined where it stayed, or the owner names another one. */
function movedTag({ isTagged, lock }: StagedPlugin, old: PluginLock): MovedTag | undefined {
  if (!isTagged || lock.source !== old.source || lock.resolved === old.resolved) return undefined;
  const [tag, from, to] = [lock.source, old.resolved, lock.resolved].map(afterHash) as [
    string,
    string,
    string,
  ];
  return { tag, from, to };
}

const afterHash = (source: string): string => source.slice(source.indexOf('#') + 1);

const describeMoved = ({ tag, from, to }: MovedTag): string =>
  `the tag ${tag} was moved: it named the commit ${from} when you added it, and names ${to} now`;

/**
 * Replaces an added plugin by a staged version of it, once what changed was shown and agreed to. A new version that does
 * not start, where the one before did, is taken back.
 */
export async function updateTo(
  staged: StagedPlugin,
  { manifest: old, lock: oldLock }: AddedPlugin,
  host: Host,
  context: Context,
): Promise<UpdatedPlugin> {
  const { terminal, options } = context;
  const { out, err } = terminal;
  const say = (text: string): void => (options.flag('json') ? undefined : out.line(text));
  const { manifest, lock } = staged;
  const { id } = manifest;
  if (id !== old.id)
    throw new PegboardError(
      'PEG_DENIED',
      `The plugin ${old.id} from ${oldLock.source} calls itself ${id} now. Remove ${old.id}, and add it anew.`,
    );
  const moved = movedTag(staged, oldLock);
  const step = { id, from: oldLock.version, to: lock.version, ...(moved && { moved }) };
  const difference = differenceFromLock(old, host.trust);
  if (!difference && toJson(lock) === toJson(oldLock)) {
    say(`${id} ${lock.version} is up to date.`);
    return { ...step, status: 'current' };
  }
  const changes = Object.fromEntries(
    Object.entries(changedFacts(factsOf(old, oldLock), factsOf(manifest, lock))).filter(
      ([, texts]) => texts.length > 0,
    ),
  );
  const title = `${step.from} → ${step.to}`;
  const damage = difference ? { damaged: [difference.message] } : {};
  const lines = showStaged(
    staged,
    {
      title,
      facts: { ...originOf(staged), ...damage, ...changes, size: [sizeOf(staged)] },
      ...(moved && { notes: [describeMoved(moved)] }),
    },
    host,
    context,
  );
  if (options.flag('dry-run')) {
    say('Nothing was changed.');
    return { ...step, status: 'kept', changes };
  }
  const question = `Replace ${id} ${step.from} by ${step.to}, and run its code with all your rights?`;
  if (!(await isWanted(question, context, lines))) {
    say(`${id} stays as it is.`);
    return { ...step, status: 'kept', changes };
  }
  const before = stateOf(host, id);
  const oldHash = hashIfTrusted(host, old);
  const replacement = await placeInstead(host.home, id, manifest.folder);
  await approvePlaced(host, staged.hash, id);
  const now = await stateInNewProcess(host, id, context.signal).catch((cause: unknown): FoundState => ({
    problem: messageOf(cause),
  }));
  const isWell = (now.state === 'running' && now.problem === undefined) || now.state === 'disabled';
  if (!isWell && before?.state === 'running') {
    await replacement.goBack();
    if (oldHash !== undefined) await approvePlaced(host, oldHash, id);
    await host.plugins.reload(id);
    const problem = now.problem ?? 'it did not start';
    err.line(
      `${err.style.bad('failed:')} ${id} ${step.to} does not run, so ${step.from} is back. ${oneLine(problem)}`,
    );
    return { ...step, status: 'failed', changes, problem };
  }
  await replacement.keep();
  await host.plugins.reload(id);
  say(`${out.style.good('updated:')} ${id} ${title}. It is trusted until one of its files changes.`);
  if (toJson(lock.packages) !== toJson(oldLock.packages) && oldLock.packages !== undefined)
    err.line(
      err.style.quiet(
        `Its packages have changed: what runs already, such as \`${pegboard} start\`, has to be started again to use them.`,
      ),
    );
  if (now.problem !== undefined) err.line(err.style.warning(oneLine(now.problem)));
  return { ...step, status: 'updated', changes, ...(now.problem !== undefined && { problem: now.problem }) };
}

/** The hash of the version before, if it is the one that the owner trusts. */
function hashIfTrusted(host: Host, old: AddedPlugin['manifest']): string | undefined {
  const trusted = host.trust.list().find(({ id }) => id === old.id)?.hash;
  if (trusted === undefined || old.broken) return undefined;
  try {
    return hashCode(old) === trusted ? trusted : undefined;
  } catch {
    return undefined;
  }
}
