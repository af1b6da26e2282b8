import type { Scope } from '../../api/source.ts';
import type { DispatchOptions } from '../pipeline.ts';
import { judgeCall, type Judgement } from './judge.ts';
import { permissionsFor } from './permissions-for.ts';

/** What the rules say of reading a file that has several paths: the strictest judgement. Undefined: nothing. */
export type JudgeFileRead = (paths: readonly string[], scope: Scope) => Promise<Judgement | undefined>;

/** Judges files that are read without a call, as calls of `filesystem.read` are. */
export function createJudgeFileRead({
  registry,
  permissions,
}: Pick<DispatchOptions, 'registry' | 'permissions'>): JudgeFileRead {
  const find = (name: string) => registry.snapshot.find(name);
  return async (paths, scope) => {
    const tool = find('filesystem.read');
    if (!tool) return undefined;
    const sets = permissionsFor(scope, permissions?.current());
    const judged: Judgement[] = [];
    for (const path of paths) {
      const one = await judgeCall({ tool, args: { path }, subject: path }, sets, find);
      if (one) judged.push(one);
    }
    const by = (decision: Judgement['decision']): Judgement | undefined =>
      judged.find((one) => one.decision === decision);
    return by('deny') ?? by('ask') ?? by('allow');
  };
}
