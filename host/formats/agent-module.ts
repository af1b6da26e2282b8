import Type from 'typebox';
import type { ModuleConstraints } from '../api/agent.ts';
import type { JsonObject } from '../api/result.ts';
import { anyMap, closed, nullable, text, textList, type Written } from './parts.ts';

export const moduleBlock = nullable(
  closed({
    config: Type.Optional(
      anyMap({ description: 'Settings of the module for this agent, as the module declares them.' }),
    ),
    setup: Type.Optional(
      Type.Array(
        closed({
          action: text({ description: 'A tool of this module.' }),
          params: Type.Optional(
            anyMap({ description: "Its arguments. {{workdir}} stands for the space's folder." }),
          ),
        }),
        {
          description:
            "Calls that are made with the host's rights before the agent's first turn, in this order.",
        },
      ),
    ),
    constraints: Type.Optional(
      Type.Unsafe<ModuleConstraints>(
        Type.Object(
          {
            allowed_actions: Type.Optional(
              textList({
                description: 'Tools of the module that it may use; patterns too. All when absent.',
              }),
            ),
            blocked_actions: Type.Optional(
              textList({ description: 'Tools of the module that it may not use; patterns too.' }),
            ),
          },
          { description: 'Limits. Beside these two, those that the module declares.' },
        ),
      ),
    ),
    middleware: Type.Optional(
      closed(
        {
          rate_limit: Type.Optional(
            closed(
              {
                per_minute: Type.Integer({
                  description: 'Calls in any 60 seconds.',
                  minimum: 1,
                  maximum: 100000,
                }),
              },
              { description: 'Refuses calls beyond a number.' },
            ),
          ),
          confirm: Type.Optional(
            nullable(
              closed(
                { actions: Type.Optional(textList({ description: 'Only before these; patterns too.' })) },
                { description: 'Asks a person before each call.' },
              ),
            ),
          ),
          log: Type.Optional(
            Type.Unsafe<JsonObject | null>(
              nullable(closed({}, { description: 'Writes each call and how it ended into the log.' })),
            ),
          ),
        },
        { description: 'What surrounds each call that the agent makes to the module, outermost first.' },
      ),
    ),
    credential: Type.Optional(
      Type.String({
        description: "Name of the variable or secret that the module's tools get when they run.",
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        maxLength: 128,
      }),
    ),
  }),
);

/** One entry of `tools.modules` in an agent's file. */
export type WrittenModule = NonNullable<Written<typeof moduleBlock>>;
