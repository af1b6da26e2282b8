import type { Agent, Skill } from '../../api/agent.ts';

/** The agent, told of its skills by name. The same skills give the same bytes, so that a provider's cache holds. */
export function withSkillList(agent: Agent, skills: readonly Skill[]): Agent {
  if (skills.length === 0) return agent;
  const list = [
    '## Skills',
    '',
    'Instructions for certain tasks. Before such a task, read them with use_skill, and follow them.',
    '',
    ...skills.map(({ name, description }) => `- ${name}: ${oneLine(description)}`),
  ].join('\n');
  const { systemPrompt } = agent;
  return { ...agent, systemPrompt: systemPrompt === undefined ? list : `${systemPrompt.trim()}\n\n${list}` };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
