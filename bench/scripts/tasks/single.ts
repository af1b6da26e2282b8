import { orders, services, users } from '../shop/data.ts';
import { use, type Task } from '../task.ts';

const orderOf = (id: string) => orders.find((one) => one.id === id)!;
const [u3, u7, u11] = [users[3]!, users[7]!, users[11]!];
const pending = u3.orders.find((id) => orderOf(id).status === 'pending')!;

/** One call, or calls that need each other. */
export const singleTasks: readonly Task[] = [
  {
    kind: 'one call',
    say: 'What is the status of order W1010?',
    find: 'order details',
    rounds: [[use('get_order', { order_id: 'W1010' })]],
    code: `const o = await tools.shop.get_order({ order_id: 'W1010' }); return o.status`,
    want: orderOf('W1010').status,
  },
  {
    kind: 'one call',
    say: 'How many of sku A-77 are in stock?',
    find: 'stock of an item',
    rounds: [[use('get_stock', { sku: 'A-77' })]],
    code: `const s = await tools.shop.get_stock({ sku: 'A-77' }); return s.count`,
    want: 3,
  },
  {
    kind: 'one call',
    say: 'Who owns which service?',
    find: 'list services',
    rounds: [[use('list_services', {})]],
    code: `return (await tools.shop.list_services({})).services.map((s) => s.name + ': ' + s.owner).join('\\n')`,
    want: services.map((s) => s.name + ': ' + s.owner).join('\n'),
  },
  {
    kind: 'chain',
    say: 'Where does user7@example.com live?',
    find: 'find customer, get customer',
    rounds: [[use('find_user', { email: u7.email })], [use('get_user', { user_id: u7.id })]],
    code: `const { id } = await tools.shop.find_user({ email: 'user7@example.com' }); const u: any = await tools.shop.get_user({ user_id: id }); return u.address`,
    want: u7.address,
  },
  {
    kind: 'chain',
    say: 'Cancel the pending order of user3@example.com if there is one.',
    find: 'find customer, get order, cancel order',
    rounds: [
      [use('find_user', { email: 'user3@example.com' })],
      [use('get_user', { user_id: 'u3' })],
      u3.orders.map((id) => use('get_order', { order_id: id })),
      [use('cancel_order', { order_id: pending, reason: 'no longer needed' })],
    ],
    code: `const { id } = await tools.shop.find_user({ email: 'user3@example.com' });
const u = await tools.shop.get_user({ user_id: id });
const os = await Promise.all(u.orders.map((order_id) => tools.shop.get_order({ order_id })));
const p = os.find((o) => o.status === 'pending');
if (!p) return 'none pending';
return await tools.shop.cancel_order({ order_id: p.id, reason: 'no longer needed' })`,
    want: { id: pending, status: 'cancelled' },
  },
  {
    kind: 'chain',
    say: 'Which colours of what user11@example.com ordered first are available?',
    find: 'find customer, get order, get product',
    rounds: [
      [use('find_user', { email: u11.email })],
      [use('get_user', { user_id: 'u11' })],
      [use('get_order', { order_id: u11.orders[0]! })],
      [use('get_product', { product_id: orderOf(u11.orders[0]!).items[0]!.product_id })],
    ],
    code: `const { id } = await tools.shop.find_user({ email: 'user11@example.com' });
const u = await tools.shop.get_user({ user_id: id });
const o = await tools.shop.get_order({ order_id: u.orders[0] });
const p = await tools.shop.get_product({ product_id: o.items[0]!.product_id });
return [...new Set(p.variants.filter((v) => v.available).map((v) => v.options.color))]`,
  },
  {
    kind: 'chain',
    say: 'Reorder 50 of sku A-77 if stock is below its reorder level.',
    find: 'stock of an item, reorder',
    rounds: [[use('get_stock', { sku: 'A-77' })], [use('reorder', { sku: 'A-77', count: 50 })]],
    code: `const s = await tools.shop.get_stock({ sku: 'A-77' });
if (s.count >= s.reorder_at) return 'enough: ' + s.count;
return await tools.shop.reorder({ sku: 'A-77', count: 50 })`,
    want: { id: 'PO-77' },
  },
];
