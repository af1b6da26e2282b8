import type { Skill } from '../../api/agent.ts';
import type { TurnContext } from '../../api/conversation.ts';
import { cosine } from '../../core/cosine.ts';

/** So many skills at most go into one turn, and none that is less like the message. */
const skillLimits = { most: 3, leastSimilarity: 0.35 } as const;

/** One vector per text. Undefined without embeddings, or when they fail. */
export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>;

/** The skills that go into a turn: the one that the message asks for as "/name", then those that fit it. */
export async function chooseSkills(
  skills: readonly Skill[],
  turn: Pick<TurnContext, 'message' | 'embedding'>,
  embed: Embed,
): Promise<readonly Skill[]> {
  if (skills.length === 0) return [];
  const { text } = turn.message;
  const asked = shortcutOf(text, skills);
  const vector = await turn.embedding();
  const vectors = vector && (await embed(skills.map(skillText)));
  const byName = new Map(vectors?.map((one, index) => [skills[index]!.name, one]));
  const fitting = selectSkills(skills, vector, byName, text).filter((skill) => skill !== asked);
  return [...(asked ? [asked] : []), ...fitting].slice(0, skillLimits.most);
}

/** "/daily-standup for Monday" asks for the skill of that name. */
function shortcutOf(text: string, skills: readonly Skill[]): Skill | undefined {
  const [, name] = /^\s*\/([a-z0-9-]+)(?:\s|$)/.exec(text) ?? [];
  return skills.find((skill) => skill.name === name);
}

/** What is embedded of a skill. */
const skillText = ({ name, description }: Pick<Skill, 'name' | 'description'>): string =>
  `${name.replaceAll('-', ' ')}: ${description}`;

/**
 * The skills that fit a message, best first: by cosine, 3 at most of 0.35 and above. A skill without a vector,
 * or any while the message has none, counts only when the message holds all words of its name: all names are listed
 * for the model anyway, and a wrong skill misleads. `vectors` are of `skillText`, by name.
 */
export function selectSkills(
  skills: readonly Skill[],
  queryVector: Float32Array | undefined,
  vectors: ReadonlyMap<string, Float32Array>,
  text = '',
): readonly Skill[] {
  const words = new Set(wordsOf(text));
  const similarity = (skill: Skill): number => {
    const vector = vectors.get(skill.name);
    if (queryVector && vector && vector.length === queryVector.length) return cosine(queryVector, vector);
    return wordsOf(skill.name).every((word) => words.has(word)) ? 1 : 0;
  };
  return skills
    .map((skill) => ({ skill, score: similarity(skill) }))
    .filter(({ score }) => score >= skillLimits.leastSimilarity)
    .sort((a, b) => b.score - a.score)
    .slice(0, skillLimits.most)
    .map(({ skill }) => skill);
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
