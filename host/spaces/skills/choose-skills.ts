import type { Skill } from '../../api/agent.ts';
import type { TurnContext } from '../../api/conversation.ts';
import { selectSkills, skillLimits, skillText } from './select-skills.ts';

/** One vector a text; undefined where there are no embeddings or they fail just now. */
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
