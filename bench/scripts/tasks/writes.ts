import { issues, orders, products, users } from '../shop/data.ts';
import { allIssues, use, type Task } from '../task.ts';

const stale = issues
  .filter(
    ({ state, updated_at, labels }) =>
      state === 'open' && updated_at < '2026-03-01' && labels.includes('bug'),
  )
  .map(({ number }) => number)
  .slice(0, 15);
const exchanged = orders.find(({ status }) => status === 'delivered')!;
const customer = users.find(({ id }) => id === exchanged.user_id)!;
const item = exchanged.items[0]!;
const other = products
  .find(({ id }) => id === item.product_id)!
  .variants.filter(({ available, item_id }) => available && item_id !== item.item_id)
  .sort((a, b) => a.price - b.price)[0]!;

/** Something is changed. */
export const writeTasks: readonly Task[] = [
  {
    kind: 'writes',
    say: 'Label the first 15 open bugs that nobody touched since February as stale.',
    find: 'list issues, add label',
    rounds: [...allIssues, stale.map((n) => use('add_label', { number: n, label: 'stale' }))],
    code: `const found = [];
for (let page = 1, pages = 1; page <= pages; page++) {
  const r = await tools.shop.list_issues({ page, state: 'open' });
  pages = r.pages;
  found.push(...r.issues.filter((i) => i.state === 'open' && i.updated_at < '2026-03-01' && i.labels.includes('bug')));
}
const first = found.slice(0, 15);
await Promise.all(first.map((i) => tools.shop.add_label({ number: i.number, label: 'stale' })));
return first.map((i) => i.number)`,
    want: stale,
  },
  {
    kind: 'writes',
    say: `${customer.email} wants the first item of ${exchanged.id} exchanged for the cheapest other one available.`,
    find: 'get order, get product, exchange item',
    rounds: [
      [use('find_user', { email: customer.email })],
      [use('get_user', { user_id: customer.id }), use('get_order', { order_id: exchanged.id })],
      [use('get_product', { product_id: item.product_id })],
      [
        use('exchange_item', {
          order_id: exchanged.id,
          item_id: item.item_id,
          new_item_id: other.item_id,
          payment_method_id: customer.payment_methods[0]!.id,
        }),
      ],
    ],
    code: `const { id } = await tools.shop.find_user({ email: '${customer.email}' });
const [u, o]: any = await Promise.all([tools.shop.get_user({ user_id: id }), tools.shop.get_order({ order_id: '${exchanged.id}' })]);
if (o.user_id !== id) return 'not their order';
const item = o.items[0];
const p = await tools.shop.get_product({ product_id: item.product_id });
const v = p.variants.filter((x) => x.available && x.item_id !== item.item_id).sort((a, b) => a.price - b.price)[0];
if (!v) return 'nothing available';
return { to: v, ...(await tools.shop.exchange_item({ order_id: o.id, item_id: item.item_id, new_item_id: v.item_id, payment_method_id: u.payment_methods[0].id })) }`,
  },
  {
    kind: 'writes',
    say: 'Find an hour tomorrow when ann, bo and cyd are all free and put a review there.',
    find: 'list events of a calendar, create event',
    rounds: [
      ['ann', 'bo', 'cyd'].map((x) => use('list_events', { calendar: x, day: '2026-11-23' })),
      ['ann', 'bo', 'cyd'].map((x) =>
        use('create_event', {
          calendar: x,
          title: 'Review',
          start: '2026-11-23T15:00',
          end: '2026-11-23T16:00',
        }),
      ),
    ],
    code: `const who = ['ann', 'bo', 'cyd'];
const busy = (await Promise.all(who.map((calendar) => tools.shop.list_events({ calendar, day: '2026-11-23' })))).flatMap((r) => r.events);
const at = (h) => '2026-11-23T' + String(h).padStart(2, '0') + ':00';
for (let h = 9; h < 18; h++) if (!busy.some((e) => e.start < at(h + 1) && e.end > at(h))) {
  await Promise.all(who.map((calendar) => tools.shop.create_event({ calendar, title: 'Review', start: at(h), end: at(h + 1) })));
  return at(h);
}
return 'no free hour'`,
  },
];
