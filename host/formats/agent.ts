/** agent.yaml, and the files of agents/. */
import Type from 'typebox';
import { choice, closed, described, id, mapOf, nullable, text, textList, type Written } from './parts.ts';
import { moduleBlock } from './agent-module.ts';
import { agentPermissions } from './permissions.ts';
import { sandbox } from './sandbox.ts';

const hook = closed({
  match: Type.Optional(
    Type.Union([text(), textList()], {
      description:
        'Which tools: an id, a bare name or a pattern such as filesystem.*, or several. All when absent.',
    }),
  ),
  command: text({ description: "A shell command. It runs in the space's folder." }),
  timeout: Type.Optional(
    Type.Number({
      description: 'Seconds until the hook counts as failed, which refuses the call.',
      exclusiveMinimum: 0,
      maximum: 3600,
      default: 10,
    }),
  ),
});

export const agentFormat = nullable(
  closed(
    {
      id: Type.Optional(
        id({
          description:
            "Unique in its space. The space's id when absent in agent.yaml, the file's name in agents/.",
        }),
      ),
      name: Type.Optional(text({ description: 'For people.' })),
      description: Type.Optional(
        text({
          description: 'What it is for, in a sentence: other agents read it before they hand over a task.',
        }),
      ),
      default: Type.Optional(
        Type.Boolean({
          description:
            'true: it answers where no agent is named. In at most one file of a home; without one, the agent of the space personal answers.',
        }),
      ),
      role: Type.Optional(
        choice(['assistant', 'coordinator', 'worker'], {
          description: 'A coordinator may start agents of its own.',
          default: 'assistant',
        }),
      ),
      brain: Type.Optional(
        nullable(
          closed(
            {
              model: Type.Optional(
                text({
                  description:
                    "A model's name at its provider, or provider/model. The home's default when absent.",
                }),
              ),
              backend: Type.Optional(
                text({
                  description:
                    "The provider of a model that is named without one: one that Pegboard knows, one of pegboard.yaml, or one that a plugin brings. openai_compat: the home's.",
                  default: 'openai_compat',
                  examples: ['openai_compat', 'anthropic', 'github_copilot'],
                }),
              ),
              native_tool_use: Type.Optional(
                choice([true, false, 'auto'], {
                  description:
                    "true: the provider's own tool calls. false: calls are read out of the text. auto: what the provider can.",
                  default: 'auto',
                }),
              ),
              context_window: Type.Optional(
                Type.Integer({
                  description: 'Tokens. What is known of the model when absent.',
                  minimum: 1000,
                  maximum: 100000000,
                }),
              ),
              fallback: Type.Optional(
                textList({
                  description: "Models to try, in this order, when the first can't answer.",
                  maxItems: 10,
                }),
              ),
              temperature: Type.Optional(
                Type.Number({ description: "The provider's when absent.", minimum: 0, maximum: 2 }),
              ),
              max_tokens: Type.Optional(Type.Integer({ description: 'Of one answer.', minimum: 1 })),
            },
            { description: 'The model that it thinks with.' },
          ),
        ),
      ),
      runtime: Type.Optional(
        nullable(
          closed(
            {
              tool_injection: Type.Optional(
                choice(['direct', 'compact_direct', 'discovery'], {
                  description:
                    'How it is shown its tools: full schemas, names with one line each, or a search. Decided by what fits when absent.',
                }),
              ),
              preset: Type.Optional(
                choice(['lean', 'full'], {
                  description: "Which tools it sees at once. The home's preset when absent.",
                }),
              ),
              direct_modules: Type.Optional(
                textList({
                  description: 'Modules whose tools all stay in sight, in discovery and in the preset lean.',
                }),
              ),
              watchers: Type.Optional(
                Type.Boolean({
                  description: 'true: the tools that watch things stay in sight. false: it has none of them.',
                }),
              ),
              scheduler: Type.Optional(
                Type.Boolean({
                  description:
                    'true: the tools that plan things for later stay in sight. false: it has none of them.',
                }),
              ),
              scripts: Type.Optional(
                choice(['on', 'off'], {
                  description: 'on: it may run scripts over its tools. off: it has no run_script.',
                  default: 'on',
                }),
              ),
              max_rounds: Type.Optional(
                Type.Integer({
                  description: 'Times that the model is asked in one turn.',
                  minimum: 1,
                  maximum: 1000,
                  default: 40,
                }),
              ),
              deadline: Type.Optional(
                Type.Number({
                  description: "Seconds for one turn. Time that a person takes to answer doesn't count.",
                  exclusiveMinimum: 0,
                  maximum: 86400,
                  default: 600,
                }),
              ),
              spend_per_day: Type.Optional(
                Type.Number({ description: 'US dollars. No cap of its own when absent.', minimum: 0 }),
              ),
            },
            { description: 'How its turns run.' },
          ),
        ),
      ),
      tools: Type.Optional(
        nullable(
          closed(
            {
              modules: Type.Optional(
                nullable(
                  mapOf(moduleBlock, {
                    description:
                      'The modules that it has: packs of plugins, spaces, MCP servers. Every module when absent.',
                  }),
                ),
              ),
            },
            { description: 'What it may use.' },
          ),
        ),
      ),
      blockedTools: Type.Optional(
        textList({
          description: 'Tools that it may not use: ids, bare names or patterns such as filesystem.*',
        }),
      ),
      allow_untrusted: Type.Optional(
        textList({
          description:
            'Tools that run without a question even after the conversation has read what others wrote, also where nobody can be asked: ids, bare names or patterns. A tool that asks anyway still asks.',
          examples: [['notes.append', 'schedule_list']],
        }),
      ),
      permissions: Type.Optional(agentPermissions),
      sandbox: Type.Optional(
        described(sandbox, {
          description:
            'What the commands that this agent runs are confined to: tools with a command, and the shell.',
        }),
      ),
      system_prompt: Type.Optional(
        Type.String({ description: 'What it is told of its task, whatever the conversation.' }),
      ),
      hooks: Type.Optional(
        closed(
          {
            pre_tool: Type.Optional(
              Type.Array(hook, {
                description:
                  'Before a call: gets {tool, args, preview, cwd, agent, caller} as JSON on stdin. Exit 0 lets it go on, 2 refuses with stderr as the reason; anything else refuses too.',
              }),
            ),
            post_tool: Type.Optional(
              Type.Array(hook, {
                description:
                  'After a call: also gets the result. Exit 0 goes on, and JSON on stdout ({text}, {content} or {structured}) replaces the result; anything else refuses it.',
              }),
            ),
          },
          { description: 'Commands that judge calls before they run and edit results afterwards.' },
        ),
      ),
    },
    {
      title: 'Pegboard agent',
      description:
        'spaces/<space>/agent/agent.yaml, or one of several in agents/: who an agent is, which model it thinks with, what it may use, and what judges its calls.',
      examples: [
        {
          id: 'example',
          role: 'assistant',
          brain: { model: 'openrouter/openai/gpt-5-mini', fallback: ['ollama/qwen3'] },
          runtime: { max_rounds: 20, spend_per_day: 2 },
          tools: {
            modules: {
              filesystem: { constraints: { allowed_actions: ['read', 'glob', 'grep'] } },
              web: { middleware: { rate_limit: { per_minute: 10 } } },
            },
          },
          blockedTools: ['filesystem.bash'],
          hooks: { pre_tool: [{ match: 'filesystem.*', command: 'node hooks/only-here.mjs', timeout: 5 }] },
        },
      ],
    },
  ),
);

export type WrittenAgent = NonNullable<Written<typeof agentFormat>>;
