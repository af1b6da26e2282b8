/** The front matter of a skill. */
import Type from 'typebox';
import { anyMap, closed, id, text, textList, type Written } from './parts.ts';

export const skillFormat = closed(
  {
    name: id({
      description:
        'Lower-case words with hyphens between. The name of the file, or of the folder of SKILL.md.',
    }),
    description: text({
      description: 'What the skill does and when to use it: the text by which agents choose it.',
      maxLength: 1024,
    }),
    requires: Type.Optional(
      closed(
        {
          env: Type.Optional(textList({ description: 'Environment variables.' })),
          secrets: Type.Optional(textList({ description: 'Secrets.' })),
          binaries: Type.Optional(textList({ description: 'Programs on the PATH.' })),
          tools: Type.Optional(textList({ description: 'Tools that the agent may use: ids or bare names.' })),
        },
        { description: 'What must be there. While something is missing, the skill is not offered.' },
      ),
    ),
    license: Type.Optional(Type.String({ description: 'For people.' })),
    compatibility: Type.Optional(Type.String({ description: 'What it was written for, for people.' })),
    metadata: Type.Optional(anyMap({ description: 'Anything else, for other programs.' })),
    'allowed-tools': Type.Optional(
      Type.Unsafe<string | readonly unknown[]>({
        type: ['string', 'array'],
        description:
          'Tools that other programs let the skill use without asking. Pegboard asks all the same.',
      }),
    ),
  },
  {
    title: 'Pegboard skill',
    description:
      'Front matter of spaces/<space>/agent/skills/<name>.md, or of <name>/SKILL.md as the Agent Skills format has it: when the instructions below it fit, and what they need.',
    unknownKeys: 'warning',
    examples: [
      {
        name: 'daily-standup',
        description:
          "Writes a stand-up report from yesterday's commits. Use it when somebody asks what was done.",
        requires: { binaries: ['git'] },
      },
    ],
  },
);

export type SkillFrontMatter = Written<typeof skillFormat>;

export type SkillRequirements = NonNullable<SkillFrontMatter['requires']>;
