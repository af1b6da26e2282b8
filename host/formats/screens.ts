/** `screens:` of plugin.yaml. */
import Type from 'typebox';
import { anyMap, choice, closed, described, mapOf, text, textList, type Written } from './parts.ts';

const memberName = '[A-Za-z_][A-Za-z0-9_-]*';

/** A member of a JSON document, also of an object in it: "lastRun.state". */
const member = (keywords: { readonly [keyword: string]: string }) =>
  Type.String({ ...keywords, pattern: `^${memberName}(\\.${memberName})*$`, maxLength: 100 });

/** Which command is run, and with what: nothing else can be given to it. */
const use = {
  command: text({ description: 'A command of this plugin, which prints JSON with --json.' }),
  words: Type.Optional(
    textList({
      description:
        'Its arguments, each a fixed text, {row}: the key of the row, {query}: what was typed into the search field, or {NAME}: a parameter of the action.',
    }),
  ),
  options: Type.Optional(
    mapOf(Type.Unsafe<string | true>({ anyOf: [{ type: 'string', minLength: 1 }, { enum: [true] }] }), {
      description: 'Its options: true for a flag, for others a value, written like the arguments.',
    }),
  ),
};

const column = closed({
  member: member({ description: 'The member of a row that is shown: "state", "lastRun.state".' }),
  title: text({ description: 'What stands above it.' }),
  as: Type.Optional(
    choice(['text', 'code', 'time', 'state', 'count', 'tags', 'flag'], {
      description:
        'text; code; time: ISO 8601, shown in the time zone of the browser, which is named; state: a word that `marks` colours; count: a number, nothing for 0; tags: a list of words; flag: the title, where the member is true or anything but empty.',
      default: 'text',
    }),
  ),
  marks: Type.Optional(
    mapOf(choice(['good', 'warn', 'bad', 'quiet']), {
      description: 'How values of a state look: { failed: bad }.',
    }),
  ),
});

const columns = Type.Array(column, { minItems: 1, description: 'What is shown of each row, in order.' });

const sections = Type.Array(
  closed({
    title: Type.Optional(text({ description: 'What stands above it.' })),
    member: Type.Optional(
      member({ description: 'The list or the object of the JSON that is shown; all of it when absent.' }),
    ),
    columns,
  }),
  { minItems: 1, description: 'The parts of what is shown, in order. Empty ones are left out.' },
);

const shown = closed({ ...use, sections });

const action = closed({
  ...use,
  label: text({ description: 'What its button says: Pause.' }),
  done: Type.Optional(text({ description: 'What is said once it is done.' })),
  on: Type.Optional(
    choice(['row', 'screen'], {
      description: 'row: it is done to one row. screen: to none.',
      default: 'row',
    }),
  ),
  when: Type.Optional(
    mapOf(textList(), {
      description: 'It is offered for rows whose members have one of these values: { state: [active] }.',
    }),
  ),
  parameters: Type.Optional(
    anyMap({
      description:
        'JSON Schema of what a person fills in before. Its root has type object; its members are single values, each named in `words` or `options`.',
    }),
  ),
  shows: Type.Optional(
    described(shown, {
      description: 'What is shown before it is done: what goes along, what would change.',
    }),
  ),
  confirm: Type.Optional(text({ description: 'The question before it is done.' })),
  proof: Type.Optional(
    Type.Boolean({
      description:
        'true: it takes a code from the terminal, as everything should that lets agents do more than before.',
      default: false,
    }),
  ),
});

const calendar = closed(
  {
    member: member({ description: 'The list in the JSON of `list` that holds what is entered.' }),
    at: member({ description: 'The member of an entry with its time, in ISO 8601.' }),
    title: member({ description: 'The member of an entry that says what it is.' }),
    row: Type.Optional(member({ description: 'The member of an entry with the key of its row.' })),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 42,
        default: 14,
        description: 'Days that are shown, from today on.',
      }),
    ),
  },
  { description: 'Of the kind calendar: what is entered in it.' },
);

const graph = closed(
  {
    ...use,
    nodes: closed({
      member: member({ description: 'The list in its JSON that holds the nodes.' }),
      key: member({ description: 'The member of a node that edges name.' }),
      title: member({ description: 'The member of a node with its name.' }),
      group: Type.Optional(member({ description: 'The member of a node with its kind, which colours it.' })),
    }),
    edges: closed({
      member: member({ description: 'The list in its JSON that holds the edges.' }),
      from: member({ description: 'The member of an edge with the key of the node where it begins.' }),
      to: member({ description: 'The member of an edge with the key of the node where it ends.' }),
      title: member({ description: 'The member of an edge that says what it means.' }),
      row: Type.Optional(
        member({ description: 'The member of an edge with the key of the row that says so.' }),
      ),
    }),
  },
  { description: 'Of the kind graph: a command that prints nodes and edges.' },
);

export const screenFormat = closed({
  title: text({ description: 'Its name in the navigation.' }),
  question: text({ description: 'The question that it answers, or what it shows, in a sentence.' }),
  empty: text({ description: 'What it says while there is nothing, in a sentence.' }),
  kind: choice(['table', 'calendar', 'graph'], {
    description: 'Beside its table a screen may have a calendar or a graph.',
  }),
  list: closed(
    {
      ...use,
      member: member({ description: 'The list in its JSON that holds the rows.' }),
      key: Type.Optional(
        member({
          description: 'The member of a row, a text or a number, by which others name it.',
          default: 'id',
        }),
      ),
      note: Type.Optional(member({ description: 'A text in its JSON that is shown above the rows.' })),
    },
    { description: 'The command whose rows the table shows. It must change nothing.' },
  ),
  search: Type.Optional(
    closed(
      { ...use, member: member({ description: 'The list in its JSON that holds the rows.' }) },
      { description: 'The command that finds rows by words. It must change nothing.' },
    ),
  ),
  columns,
  calendar: Type.Optional(calendar),
  graph: Type.Optional(graph),
  detail: Type.Optional(
    described(shown, { description: 'What is shown of a chosen row. Its command must change nothing.' }),
  ),
  actions: Type.Optional(
    mapOf(action, {
      description: 'What can be done, by name.',
      propertyNames: { pattern: '^[a-z][a-z0-9-]*$' },
    }),
  ),
});

/** A screen of the page, made from what commands print. */
export type ScreenDeclaration = Written<typeof screenFormat>;

/** A command, and what it gets. */
export type CommandUse = Pick<ScreenDeclaration['list'], 'command' | 'words' | 'options'>;

export type ScreenAction = NonNullable<ScreenDeclaration['actions']>[string];
