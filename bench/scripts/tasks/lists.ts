import { documents, invoices, issues, payments } from '../shop/data.ts';
import { allIssues, many, use, type Task } from '../task.ts';

const open = issues.filter(({ state }) => state === 'open');
const byLabel: Record<string, number> = {};
for (const { labels } of open) for (const label of labels) byLabel[label] = (byLabel[label] ?? 0) + 1;
const ann = open
  .filter(({ assignee, labels }) => assignee === 'ann' && labels.includes('urgent'))
  .map(({ number }) => number);
const paid = new Set(payments.map(({ invoice }) => invoice));
const unpaid = invoices.filter(({ id }) => !paid.has(id));
const transcript = documents[0]!.text;

/** Little of much. */
export const listTasks: readonly Task[] = [
  {
    kind: 'large lists',
    say: 'How many open issues are there of each label?',
    find: 'list issues',
    rounds: allIssues,
    code: `const n = {};
for (let page = 1, pages = 1; page <= pages; page++) {
  const r = await tools.shop.list_issues({ page });
  pages = r.pages;
  for (const i of r.issues) if (i.state === 'open') for (const l of i.labels) n[l] = (n[l] ?? 0) + 1;
}
return n`,
    want: byLabel,
  },
  {
    kind: 'large lists',
    say: 'Which urgent open issues has ann?',
    find: 'list issues',
    rounds: allIssues,
    code: `const found = [];
for (let page = 1, pages = 1; page <= pages; page++) {
  const r = await tools.shop.list_issues({ page, state: 'open' });
  pages = r.pages;
  found.push(...r.issues.filter((i) => i.state === 'open' && i.assignee === 'ann' && i.labels.includes('urgent')).map((i) => i.number));
}
return found`,
    want: ann,
  },
  {
    kind: 'large lists',
    say: 'Which invoices are unpaid, and how much is that?',
    find: 'list invoices, list payments',
    rounds: [[use('list_invoices', {}), use('list_payments', {})]],
    code: `const [{ invoices }, { payments }] = await Promise.all([tools.shop.list_invoices({}), tools.shop.list_payments({})]);
const paid = new Set(payments.map((p) => p.invoice));
const open = invoices.filter((i) => !paid.has(i.id));
return { ids: open.map((i) => i.id), sum: open.reduce((s, i) => s + i.amount, 0) }`,
    want: { ids: unpaid.map((i) => i.id), sum: unpaid.reduce((s, i) => s + i.amount, 0) },
  },
  {
    kind: 'large lists',
    say: 'Which of the files 0 to 9 have a TODO, and what is it?',
    find: 'read document',
    rounds: [many(10, (i) => use('get_document', { id: `file${i}` }))],
    code: `const docs = await Promise.all(Array.from({ length: 10 }, (_, i) => tools.shop.get_document({ id: 'file' + i })));
return docs.flatMap((d) => [...d.text.matchAll(/TODO: (\\w+ \\d+)/g)].map((m) => d.id + ': ' + m[1]))`,
  },
  {
    kind: 'moves data',
    say: 'Save the transcript of the sales call as a note at record ACME.',
    find: 'read document, save note',
    rounds: [
      [use('get_document', { id: 'transcript' })],
      [use('save_note', { record: 'ACME', text: transcript })],
    ],
    code: `const { text } = await tools.shop.get_document({ id: 'transcript' });
return await tools.shop.save_note({ record: 'ACME', text })`,
    want: { record: 'ACME', length: transcript.length },
  },
];
