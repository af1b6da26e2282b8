/** plugin.yaml. */
import Type from 'typebox';
import { anyMap, choice, closed, id, mapOf, text, textList, type Written } from './parts.ts';
import { screenFormat } from './screens.ts';

export const pluginFormat = closed(
  {
    id: id({ description: 'Unique in the host: the name of its folder.' }),
    version: Type.String({
      description: 'Semantic version, in quotes.',
      pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.+-]+)?$',
      examples: ['1.0.0'],
    }),
    description: text({ description: 'What it brings, in a sentence.' }),
    entry: Type.Optional(
      text({
        description:
          'The module whose default export is the plugin, inside its folder. A plugin of manifests and skills alone needs none.',
        default: 'index.ts',
      }),
    ),
    onDemand: Type.Optional(
      Type.Boolean({
        description:
          'true: its code is not loaded for calls of other tools, unless they are part of a turn. Then its packs list their tools, it has no tools/, and its hooks see only calls in turns.',
        default: false,
      }),
    ),
    when: Type.Optional(
      textList({
        description:
          'Environment variables: where one of them is set, it is set up before any call, though it is on demand.',
      }),
    ),
    requires: Type.Optional(
      closed(
        {
          env: Type.Optional(textList({ description: 'Environment variables.' })),
          secrets: Type.Optional(textList({ description: 'Secrets that it may read.' })),
          binaries: Type.Optional(textList({ description: 'Programs on the PATH.' })),
          optional: Type.Optional(
            textList({ description: 'Variables and secrets that it may read if they are there.' }),
          ),
          plugins: Type.Optional(textList({ description: 'Ids of plugins that start first.' })),
        },
        { description: 'What must be there before it starts.' },
      ),
    ),
    config: Type.Optional(
      anyMap({
        description:
          'JSON Schema of its settings in pegboard.yaml (plugins.<id>.config). Its root has type object.',
      }),
    ),
    channels: Type.Optional(
      textList({ description: 'The names of the channels that it brings once it is set up: telegram.' }),
    ),
    section: Type.Optional(
      text({
        description:
          'A part of pegboard.yaml that is its config, beside plugins.<id>.config. Only for plugins that ship with Pegboard.',
      }),
    ),
    sources: Type.Optional(
      Type.Array(id({}), {
        description:
          'The modules of its sources of tools that change while it runs, the first half of their ids: [notes].',
      }),
    ),
    metaTools: Type.Optional(
      textList({
        description:
          'The names of its tools that find or run others. Every agent has them; one that is not in the list is left out.',
      }),
    ),
    provides: Type.Optional(
      textList({ description: 'The names of what it provides for other plugins: [greeter].' }),
    ),
    points: Type.Optional(
      textList({ description: "The names of other plugins' lists that it adds to: [http.routes]." }),
    ),
    commands: Type.Optional(
      mapOf(
        closed({
          summary: text({ description: 'What it does, in a line.' }),
          handler: Type.Optional(
            text({
              description:
                'A module of the plugin whose `run` is the command, for one that needs no host: ./commands/show.ts. Only for plugins that ship with Pegboard.',
            }),
          ),
          home: Type.Optional(
            choice(['reads', 'makes', 'none'], {
              description:
                'How the command of a module uses the home: it lists an unknown one, makes one of an empty folder, or needs none.',
            }),
          ),
          takesProgram: Type.Optional(
            Type.Boolean({
              description:
                'Whether what follows -- is a program with its arguments, for the command of a module.',
            }),
          ),
          untilStopped: Type.Optional(
            Type.Boolean({
              description:
                'Whether it runs until a signal ends it, which is no failure then, for the command of a module.',
            }),
          ),
          details: Type.Optional(text({ description: 'More for its own help, below the summary.' })),
          group: Type.Optional(
            text({
              description:
                'The heading under which the help lists it. Only for plugins that ship with Pegboard.',
            }),
          ),
          before: Type.Optional(
            text({
              description:
                'The command before which the help lists it. Only for plugins that ship with Pegboard.',
            }),
          ),
          examples: Type.Optional(
            textList({ description: 'For its own help, without the name of the program: [tally show].' }),
          ),
          usage: Type.Optional(Type.String({ description: 'Its arguments: ID [TEXT…]. None when absent.' })),
          options: Type.Optional(
            mapOf(
              closed({
                summary: text({ description: 'What it does, in a line.' }),
                value: Type.Optional(
                  text({ description: 'What its value is called in the help; absent for a flag.' }),
                ),
                short: Type.Optional(text({ description: 'One letter: y for -y.' })),
                multiple: Type.Optional(
                  Type.Boolean({ description: 'Whether it may be given several times.' }),
                ),
              }),
              {
                description:
                  'Its options, by name without dashes. Every command without a module has --json.',
              },
            ),
          ),
        }),
        {
          description: 'Commands that it adds to `pegboard`, by name: one or two words.',
          propertyNames: { pattern: '^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)?$' },
        },
      ),
    ),
    screens: Type.Optional(
      mapOf(screenFormat, {
        description: 'Screens of the page in the browser, by name, made from what its commands print.',
        propertyNames: { pattern: '^[a-z][a-z0-9-]*$' },
      }),
    ),
    packs: Type.Optional(
      mapOf(
        closed({
          description: text({
            description: 'What its tools are for, in a sentence; searched, and used to choose packs.',
          }),
          tools: Type.Optional(
            textList({ description: 'The names of its tools. A tool that is not in the list is left out.' }),
          ),
          lean: Type.Optional(
            textList({
              description:
                'The names of its tools that the preset lean lists; the others are found by search and can be called. All when absent.',
            }),
          ),
          alwaysLoad: Type.Optional(
            Type.Boolean({ description: 'Never left out because it seems irrelevant.', default: false }),
          ),
          channel: Type.Optional(
            text({ description: 'Its tools are there only in turns of this channel: telegram.' }),
          ),
          config: Type.Optional(
            anyMap({
              description:
                'JSON Schema of settings that agents may make for the pack (tools.modules.<pack>.config). Its root has type object.',
            }),
          ),
          constraints: Type.Optional(
            anyMap({
              description:
                "JSON Schema of limits that agents' files may set beside allowed_actions and blocked_actions, and that the pack's tools hold. Its root has type object.",
            }),
          ),
        }),
        { description: 'Its groups of tools, by name. The name is the first half of their ids.' },
      ),
    ),
  },
  {
    title: 'Pegboard plugin',
    description: 'plugins/<id>/plugin.yaml: all that is known of a plugin before any of its code runs.',
    examples: [
      {
        id: 'weather',
        version: '1.0.0',
        description: 'Weather reports',
        packs: { weather: { description: 'Current weather and forecasts by place' } },
      },
    ],
  },
);

export type WrittenPlugin = Written<typeof pluginFormat>;

/** A command as the help shows it before any code runs. */
export type CommandDeclaration = NonNullable<WrittenPlugin['commands']>[string];

/** Requirements that must be met before the plugin starts. */
export type PluginRequirements = NonNullable<WrittenPlugin['requires']>;
