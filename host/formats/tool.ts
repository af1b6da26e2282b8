/** A tool: the front matter of a Markdown file, a YAML file, or an entry of space.manifest.json. */
import Type from 'typebox';
import { httpRequest } from './http-request.ts';
import { anyMap, choice, closed, described, id, mapOf, text, textList, type Written } from './parts.ts';
import { sandbox } from './sandbox.ts';

export const toolFormat = closed(
  {
    id: id({
      description: 'What the tool is called: lower-case words with hyphens between, unique in its space.',
      examples: ['deploy', 'word-count'],
    }),
    name: text({ description: 'For people: a title.', maxLength: 200, examples: ['Deploy to staging'] }),
    description: text({ description: 'For models and people: what the tool does, and when to use it.' }),
    category: Type.Optional(
      text({ description: 'Groups tools in listings and search.', examples: ['deployment'] }),
    ),
    icon: Type.Optional(text({ description: 'Name of an icon, or an emoji.', examples: ['rocket'] })),
    tags: Type.Optional(textList({ description: 'Words that search finds it by.' })),
    aliases: Type.Optional(textList({ description: 'Other names that search finds it by.' })),
    examples: Type.Optional(
      Type.Array(
        closed({
          input: anyMap({ description: 'The arguments.' }),
          output: Type.Optional(
            Type.Unknown({
              description:
                'What comes back: text without the line end after it, or the structured value of a tool with output json or lines.',
            }),
          ),
        }),
        {
          description:
            'Calls that show how it is used. `pegboard test-tools` runs them and compares the output where one is given.',
          examples: [[{ input: { name: 'Ada' }, output: 'Hello, Ada' }]],
        },
      ),
    ),
    parameters: Type.Optional(
      Type.Array(
        closed({
          name: Type.String({
            description: 'As it stands in {{ }} of the command.',
            pattern: '^[A-Za-z_][A-Za-z0-9_-]*$',
            maxLength: 64,
          }),
          type: choice(['string', 'number', 'integer', 'boolean', 'array', 'object'], {
            description: 'JSON type of its value.',
          }),
          description: Type.Optional(Type.String({ description: 'What it means, with unit and format.' })),
          required: Type.Optional(Type.Boolean({ description: 'Must it be given?', default: false })),
          enum: Type.Optional(
            Type.Array(Type.Unknown(), {
              description: 'The values that it may have; of an array, those that its items may have.',
              minItems: 1,
            }),
          ),
          default: Type.Optional(
            Type.Unknown({ description: "Its value when it isn't given. Must be one that could be given." }),
          ),
          pattern: Type.Optional(
            text({
              description:
                'Of text, or of the items of an array: a regular expression (RE2: no look-around, no back-references) that must match, in part unless ^ and $ say otherwise.',
            }),
          ),
          items: Type.Optional(
            anyMap({ description: 'Of an array: JSON Schema of its items. Text when absent.' }),
          ),
          minimum: Type.Optional(Type.Number({ description: 'Of a number: the least value.' })),
          maximum: Type.Optional(Type.Number({ description: 'Of a number: the greatest value.' })),
          allowDash: Type.Optional(
            Type.Boolean({
              description: 'May its value begin with - where the program could take it for an option?',
              default: false,
            }),
          ),
          unsafe: Type.Optional(
            Type.Boolean({
              description:
                "Its value may become program text (shell, SQL, a regular expression's program …). Every run is then confirmed.",
              default: false,
            }),
          ),
        }),
        {
          description: 'The arguments that the tool takes.',
          maxItems: 100,
          examples: [
            [{ name: 'branch', type: 'string', description: 'Git branch to deploy', required: true }],
          ],
        },
      ),
    ),
    inputSchema: Type.Optional(
      anyMap({
        description: 'A whole JSON Schema of the arguments, instead of parameters. Its root has type object.',
      }),
    ),
    command: Type.Optional(
      text({
        description:
          'The command to run: a Handlebars template with {{parameter}}, {{#if}}, {{#unless}} and {{#each}}. Values are bound, never pasted in. Put it in quotes or use a block (|).',
        examples: ['bash scripts/deploy.sh {{branch}}'],
      }),
    ),
    http: Type.Optional(
      described(httpRequest, {
        description: 'The HTTP request to send. Values are bound to their places, never pasted in.',
        examples: [{ url: 'https://api.example.com/pets/{{id}}' }],
      }),
    ),
    mcp: Type.Optional(choice([true], { description: 'The tool runs on a configured MCP server.' })),
    server: Type.Optional(text({ description: "With mcp: the server's name in mcpServers." })),
    type: Type.Optional(
      choice(['bridge'], { description: 'bridge: the tool runs where the person is, as `tool` says.' }),
    ),
    tool: Type.Optional(
      text({
        description:
          "With mcp: the tool's name there. With type bridge: show_file_picker, show_notification or show_dialog. The id when absent.",
      }),
    ),
    arguments: Type.Optional(
      anyMap({
        description:
          'With type bridge: arguments that are always the same. Those of the call are added to them.',
        examples: [{ title: 'Choose a photo', multiple: true }],
      }),
    ),
    handler: Type.Optional(
      Type.String({
        description:
          "A function in a TypeScript or JavaScript file of this folder: ./file.ts#export. Only inside a plugin or a space's own folder.",
        pattern: '^\\./[^#]+\\.(ts|mts|js|mjs)#[A-Za-z_$][A-Za-z0-9_$]*$',
        examples: ['./word-count.ts#wordCount'],
      }),
    ),
    script: Type.Optional(
      text({
        description:
          'A program over tools: the body of an async function in TypeScript, with the arguments as `args`. In a .script.ts file it is what follows the comment with the other keys.',
        examples: ['return (await tools.filesystem.listdir({ path: args.path })).entries.length'],
      }),
    ),
    timeout: Type.Optional(
      Type.Number({
        description: 'Seconds until the whole process tree is ended.',
        exclusiveMinimum: 0,
        maximum: 86400,
        default: 60,
      }),
    ),
    confirm: Type.Optional(Type.Boolean({ description: 'Ask a person before every run.', default: false })),
    readOnly: Type.Optional(
      Type.Boolean({
        description:
          "It changes nothing, here or elsewhere. A tool that isn't read-only is asked about once the conversation has read what others wrote.",
        default: false,
      }),
    ),
    environment: Type.Optional(
      mapOf(Type.String(), {
        description:
          "Variables for the command. ${NAME} is taken from the host's environment or secrets when it runs, and shown to nobody.",
        examples: [{ DATABASE_URL: '${DB_URL}', LANG: 'C.UTF-8' }],
      }),
    ),
    cwd: Type.Optional(
      text({
        description:
          "Folder inside the space that the command runs in, or caller: where its caller works, which is the folder in which a person stands at the terminal, or the only root of an MCP client. The space's own folder when absent.",
        examples: ['scripts', 'caller'],
      }),
    ),
    output: Type.Optional(
      choice(['text', 'json', 'lines'], {
        description: 'text: as it comes. json: parsed into structured content. lines: a list of the lines.',
        default: 'text',
      }),
    ),
    sandbox: Type.Optional(
      described(sandbox, {
        description:
          "What the command is confined to on Linux; where that can't be done, it doesn't run. Its space, the acting agent and the home may confine it further.",
        examples: ['workspace', { level: 'workspace', network: true }],
      }),
    ),
  },
  {
    title: 'Pegboard tool manifest',
    description:
      'A tool: the front matter of a .md file, a .yaml file, the first comment of a .script.ts file, or an entry of space.manifest.json. Exactly one of command, http, mcp with server, handler, script, and type says what it does.',
    oneOf: [
      { title: 'A command', required: ['command'] },
      { title: 'An HTTP request', required: ['http'] },
      { title: 'A tool of an MCP server', required: ['mcp', 'server'] },
      { title: 'A function', required: ['handler'] },
      { title: 'A program over tools', required: ['script'] },
      { title: 'A tool that runs where the person is', required: ['type'] },
    ],
    examples: [
      {
        id: 'greet',
        name: 'Greet',
        description: 'Greets someone by name',
        parameters: [{ name: 'who', type: 'string', description: 'Whom', required: true }],
        command: 'echo Hello, {{who}}',
      },
    ],
  },
);

export type WrittenManifest = Written<typeof toolFormat>;

export type ManifestParameter = NonNullable<WrittenManifest['parameters']>[number];
