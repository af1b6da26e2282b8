/** A plugin whose screens say the texts wherever a screen shows what a command prints. */
export const sayingPlugin = (texts: readonly string[]): { readonly [file: string]: string } => ({
  'pegboard.yaml': 'plugins: { theirs: { trusted: true } }\n',
  'plugins/theirs/plugin.yaml': `id: theirs
version: "1.0.0"
description: Says what others wrote
commands:
  theirs say: { summary: Says it }
screens:
  calendar:
    title: ${JSON.stringify(texts[0])}
    question: ${JSON.stringify(texts[1])}
    empty: ${JSON.stringify(texts[2])}
    kind: calendar
    list: { command: theirs say, member: rows, note: note }
    columns:
${columns}
    calendar: { member: entries, at: at, title: text, row: id }
    detail: { command: theirs say, sections: [{ title: ${JSON.stringify(texts[3])}, member: rows, columns: [{ member: text, title: Text }] }] }
    actions:
      act:
        label: ${JSON.stringify(texts[4])}
        command: theirs say
        shows: { command: theirs say, sections: [{ member: rows, columns: [{ member: text, title: Text }] }] }
        confirm: ${JSON.stringify(texts[5])}
  graph:
    title: Graph
    question: What is linked?
    empty: Nothing.
    kind: graph
    list: { command: theirs say, member: rows }
    columns: [{ member: text, title: Text }]
    graph:
      command: theirs say
      nodes: { member: rows, key: id, title: text, group: text }
      edges: { member: edges, from: from, to: to, title: text, row: to }
`,
  'plugins/theirs/index.ts': `import { definePlugin } from 'pegboard';
const texts: readonly string[] = ${JSON.stringify(texts)};
const rows = texts.map((text, id) => ({ id, text, tags: [text], count: text, flag: text }));
const at = new Date(Date.now() + 1_000).toISOString();
const edges = texts.map((text, from) => ({ from, to: (from * 7 + 1) % texts.length, text }));
export default definePlugin({
  setup: () => ({
    commands: {
      'theirs say': (call) =>
        call.json({ rows, edges, note: texts.join(' ').slice(0, 5_000), entries: rows.map((row) => ({ ...row, at })) }),
    },
  }),
});
`,
});

const columns = ['text', 'code', 'time', 'state', 'tags', 'count', 'flag']
  .map(
    (as) =>
      `      - { member: ${['tags', 'count', 'flag'].includes(as) ? as : 'text'}, title: ${as}, as: ${as} }`,
  )
  .join('\n');
