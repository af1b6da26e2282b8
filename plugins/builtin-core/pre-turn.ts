import type { Logger, TurnHooks } from 'pegboard';

type PreTurn = TurnHooks['preTurn'];

/** Sections of several packs, in their order. One that fails is logged, and costs the others nothing. */
export function allSections(hooks: readonly PreTurn[], log: Logger): PreTurn {
  return async (turn) => {
    const settled = await Promise.allSettled(hooks.map((hook) => hook(turn)));
    return settled.flatMap((result) => {
      if (result.status === 'fulfilled') return result.value ?? [];
      log.error('a section of the preamble was left out', { cause: result.reason });
      return [];
    });
  };
}
