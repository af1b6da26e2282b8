/**
 * How much of the tests runs: `npm test` before a commit, `npm run test:all` for every push, `npm run soak` at night.
 * `x.all.test.ts` is not in `npm test`, `x.soak.test.ts` only in `npm run soak`; each tier has the ones before it.
 */
export const tiers = ['usual', 'all', 'soak'] as const;
export type Tier = (typeof tiers)[number];

/** How the names of a tier's files end. */
const suffixes: Readonly<Record<Tier, RegExp>> = {
  usual: /\/[^/.]+\.test\.ts$/,
  all: /\/[^/.]+\.all\.test\.ts$/,
  soak: /\/[^/.]+\.soak\.test\.ts$/,
};

const asked = tiers.find((name) => name === (process.env['PEGBOARD_TESTS'] ?? 'usual'));
if (asked === undefined) throw new Error(`PEGBOARD_TESTS is one of ${tiers.join(', ')}`);
/** The tier of this run. */
export const tier = asked;

export const isSoak = tier === 'soak';

/** How often a test with random input or random moments repeats what it does. `usual`: as in all, if it is left out. */
export const rounds = ({ usual, all, soak }: Rounds): number =>
  isSoak ? soak : tier === 'usual' ? (usual ?? all) : all;

interface Rounds {
  readonly usual?: number;
  readonly all: number;
  readonly soak: number;
}

/** undefined: the name belongs to no tier, and the file would never run. */
export const tierOf = (file: string): Tier | undefined => tiers.find((name) => suffixes[name].test(file));

/** Patterns of the files that a run of this tier leaves out. */
export const leftOutOf = (name: Tier): readonly string[] =>
  tiers.slice(tiers.indexOf(name) + 1).map((later) => `**/*.${later}.test.ts`);
