import stemsByCount from './ordinary-rarity.json' with { type: 'json' };

/**
 * How common a word is in descriptions of tools: about how many of 5,194 descriptions of MCP tools have its stem. Stems
 * in fewer than eight are left out. Counted in the Toucan collection (github.com/TheAgentArk/Toucan, copyright 2025 Agent
 * Ark, MIT licence); none of its text is here.
 */
const descriptions = 5_194;

let counts: ReadonlyMap<string, number> | undefined;

function countOf(stem: string): number {
  counts ??= new Map(
    Object.entries(stemsByCount).flatMap(([count, lines]) =>
      lines.flatMap((line) => line.split(' ').map((each) => [each, Number(count)] as const)),
    ),
  );
  return counts.get(stem) ?? 0;
}

/** The rarity of a word that is in none of these descriptions. */
export const rarestInGeneral = Math.log(1 + (descriptions + 0.5) / 0.5);

/** How much a word says about the tool that is meant, in any home: 0.6 for "data", 9.3 for "espresso". */
export function rarityInGeneral(stem: string): number {
  return Math.log(1 + (descriptions + 0.5) / (countOf(stem) + 0.5));
}
