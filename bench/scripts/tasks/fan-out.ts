import { employees, expensesOf, orders, products, services, users } from '../shop/data.ts';
import { many, use, type Task } from '../task.ts';

const orderOf = (id: string) => orders.find((one) => one.id === id)!;
const u5 = users[5]!;
const spent = (ids: readonly string[]): number =>
  ids.reduce((sum, id) => sum + orderOf(id).payment.amount, 0);
const over = employees
  .filter(({ id, budget }) => {
    const counted = expensesOf(id, 'Q3').filter(({ category }) => category !== 'software');
    return counted.reduce((sum, { amount }) => sum + amount, 0) > budget / 2;
  })
  .map(({ name }) => name);
const blue = products
  .slice(0, 8)
  .flatMap(({ name, variants }) =>
    variants
      .filter(({ available, options }) => available && options.color === 'blue')
      .map(({ price }) => ({ product: name, price })),
  )
  .sort((one, other) => one.price - other.price)[0]!;

/** The same call for each of several things. */
export const fanOutTasks: readonly Task[] = [
  {
    kind: 'fan-out',
    say: 'How much did user5@example.com spend in all?',
    find: 'find customer, get customer, get order',
    rounds: [
      [use('find_user', { email: u5.email })],
      [use('get_user', { user_id: 'u5' })],
      u5.orders.map((id) => use('get_order', { order_id: id })),
    ],
    code: `const { id } = await tools.shop.find_user({ email: 'user5@example.com' });
const u = await tools.shop.get_user({ user_id: id });
const os = await Promise.all(u.orders.map((order_id) => tools.shop.get_order({ order_id })));
return os.reduce((s, o) => s + o.payment.amount, 0)`,
    want: spent(u5.orders),
  },
  {
    kind: 'fan-out',
    say: 'Who in sales spent more than half the budget in Q3, software not counted?',
    find: 'list employees of a team, get expenses',
    rounds: [
      [use('list_employees', { team: 'sales' })],
      employees.map((e) => use('get_expenses', { employee_id: e.id, quarter: 'Q3' })),
    ],
    code: `const { employees } = await tools.shop.list_employees({ team: 'sales' });
const all = await Promise.all(employees.map(async (e) => {
  const { expenses } = await tools.shop.get_expenses({ employee_id: e.id, quarter: 'Q3' });
  const sum = expenses.filter((x) => x.category !== 'software').reduce((s, x) => s + x.amount, 0);
  return { name: e.name, sum, limit: e.budget / 2 };
}));
return all.filter((x) => x.sum > x.limit).map((x) => x.name)`,
    want: over,
  },
  {
    kind: 'fan-out',
    say: 'Which services are unhealthy, and who owns them?',
    find: 'list services, status of a service',
    rounds: [[use('list_services', {})], services.map((s) => use('service_status', { name: s.name }))],
    code: `const { services } = await tools.shop.list_services({});
const st = await Promise.all(services.map((s) => tools.shop.service_status({ name: s.name })));
return st.filter((s) => !s.healthy).map((s) => s.name + ' (' + services.find((x) => x.name === s.name).owner + '), errors ' + s.error_rate)`,
  },
  {
    kind: 'fan-out',
    say: 'Orders W1000, W1010, W1020, W1030, W1099, W1040, W1050, W1098, W1060, W1070: which of them exist, and what is their status?',
    find: 'get order',
    rounds: [
      ['W1000', 'W1010', 'W1020', 'W1030', 'W1099', 'W1040', 'W1050', 'W1098', 'W1060', 'W1070'].map((id) =>
        use('get_order', { order_id: id }),
      ),
    ],
    code: `const ids = ['W1000','W1010','W1020','W1030','W1099','W1040','W1050','W1098','W1060','W1070'];
const out = {};
await Promise.all(ids.map(async (order_id) => { try { out[order_id] = (await tools.shop.get_order({ order_id })).status; } catch (e) { out[order_id] = 'not found'; } }));
return out`,
  },
  {
    kind: 'fan-out',
    say: 'Of products p0 to p7: which available blue variant is the cheapest?',
    find: 'get product',
    rounds: [many(8, (i) => use('get_product', { product_id: `p${i}` }))],
    code: `const ps = await Promise.all(Array.from({ length: 8 }, (_, i) => tools.shop.get_product({ product_id: 'p' + i })));
const all = ps.flatMap((p) => p.variants.filter((v) => v.available && v.options.color === 'blue').map((v) => ({ product: p.name, price: v.price })));
return all.sort((a, b) => a.price - b.price)[0]`,
    want: blue,
  },
];
