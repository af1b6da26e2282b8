import {
  documents,
  employees,
  eventsOf,
  expensesOf,
  invoices,
  issues,
  orders,
  payments,
  products,
  services,
  statusOf,
  users,
} from './data.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const list = (items: object) => ({ type: 'array', items });

const order = object({
  id: text,
  user_id: text,
  status: { enum: ['pending', 'delivered', 'processed', 'cancelled'] },
  created: text,
  items: list(object({ product_id: text, item_id: text, quantity: integer, price: number })),
  payment: object({ method: text, amount: number }),
});
const variant = object({
  item_id: text,
  options: object({ color: text, size: text, material: text }),
  available: boolean,
  price: number,
});

const found = <T>(one: T | undefined, what: unknown): T => {
  if (one === undefined) throw new Error(`${String(what)} does not exist`);
  return one;
};

/** What the schema of its parameters lets through. */
type Args = any;

const tool = (
  name: string,
  description: string,
  parameters: object,
  outputSchema: object,
  execute: (args: Args) => object,
  more: object = { annotations: { readOnlyHint: true } },
) => ({ name, description, parameters, outputSchema, execute, ...more });

const shop = [
  tool(
    'find_user',
    'Find a customer by email address. Returns the i',
    object({ email: { ...text, description: 'Email address' } }),
    object({ id: text }),
    ({ email }) => ({
      id: found(
        users.find((one) => one.email === email),
        email,
      ).id,
    }),
  ),
  tool(
    'get_user',
    'Get a customer: name, address, payment methods, ids of orders.',
    object({ user_id: text }),
    object({ id: text, name: text, email: text, orders: list(text) }),
    ({ user_id }) =>
      found(
        users.find(({ id }) => id === user_id),
        user_id,
      ),
  ),
  tool(
    'get_order',
    'Get an order with its items, payment, status and history.',
    object({ order_id: { ...text, description: 'Such as W1001' } }),
    order,
    ({ order_id }) =>
      found(
        orders.find(({ id }) => id === order_id),
        order_id,
      ),
  ),
  tool(
    'cancel_order',
    'Cancel a pending order.',
    object({ order_id: text, reason: { enum: ['no longer needed', 'ordered by mistake'] } }),
    object({ id: text, status: text }),
    ({ order_id }) => ({ id: order_id, status: 'cancelled' }),
    { confirm: true },
  ),
  tool(
    'get_product',
    'Get a product with all its variants, their options, price and availability.',
    object({ product_id: text }),
    object({ id: text, name: text, variants: list(variant) }),
    ({ product_id }) =>
      found(
        products.find(({ id }) => id === product_id),
        product_id,
      ),
  ),
  tool(
    'exchange_item',
    'Exchange an item of a delivered order for another variant of the same product.',
    object({ order_id: text, item_id: text, new_item_id: text, payment_method_id: text }),
    object({ order_id: text, status: text, difference: number }),
    ({ order_id }) => ({ order_id, status: 'exchange requested', difference: 4.5 }),
    { confirm: true },
  ),
  tool(
    'list_employees',
    'List the employees of a team with their quarterly budgets.',
    object({ team: text }),
    object({ employees: list(object({ id: text, name: text, budget: number })) }),
    () => ({ employees: employees }),
  ),
  tool(
    'get_expenses',
    'Get all expense items of an employee in a quarter.',
    object({ employee_id: text, quarter: { enum: ['Q1', 'Q2', 'Q3', 'Q4'] } }),
    object({ expenses: list(object({ id: text, date: text, category: text, amount: number })) }),
    ({ employee_id, quarter }) => ({ expenses: expensesOf(employee_id, quarter) }),
  ),
  tool(
    'list_services',
    'List all services that run in production.',
    object({}),
    object({ services: list(object({ name: text, owner: text })) }),
    () => ({ services: services }),
  ),
  tool(
    'service_status',
    'Get health, latency, error rate and instances of one service.',
    object({ name: text }),
    object({ name: text, healthy: boolean, error_rate: number }),
    ({ name }) => statusOf(name),
  ),
  tool(
    'list_issues',
    'List issues of the repository, 50 a page.',
    object({ page: { ...integer, minimum: 1, maximum: 6 }, state: { enum: ['open', 'closed', 'all'] } }, [
      'page',
    ]),
    object({
      issues: list(
        object({
          number: integer,
          title: text,
          state: text,
          assignee: { type: ['string', 'null'] },
          labels: list(text),
          updated_at: text,
        }),
      ),
      pages: integer,
    }),
    ({ page = 1 }) => ({ issues: issues.slice((Number(page) - 1) * 50, Number(page) * 50), pages: 6 }),
  ),
  tool(
    'add_label',
    'Add a label to an issue.',
    object({ number: integer, label: text }),
    object({ number: integer, labels: list(text) }),
    ({ number: issue, label }) => ({ number: issue, labels: [label] }),
    {},
  ),
  tool(
    'list_invoices',
    'List all invoices of this year.',
    object({}),
    object({ invoices: list(object({ id: text, customer: text, amount: number, due: text })) }),
    () => ({ invoices: invoices }),
  ),
  tool(
    'list_payments',
    'List all payments received this year.',
    object({}),
    object({ payments: list(object({ id: text, invoice: text, amount: number })) }),
    () => ({ payments: payments }),
  ),
  tool(
    'get_document',
    'Read the text of a document.',
    object({ id: text }),
    object({ id: text, title: text, text: text }),
    ({ id }) =>
      found(
        documents.find((one) => one.id === id),
        id,
      ),
  ),
  tool(
    'save_note',
    'Save a note at a customer recor',
    object({ record: text, text: text }),
    object({ record: text, length: integer }),
    ({ record, text: note }) => ({ record, length: (note as string).length }),
    {},
  ),
  tool(
    'list_events',
    'List the events of a calendar on a day.',
    object({ calendar: text, day: text }),
    object({ events: list(object({ id: text, title: text, start: text, end: text })) }),
    ({ calendar }) => ({ events: eventsOf(calendar) }),
  ),
  tool(
    'create_event',
    'Create an event in a calendar.',
    object({ calendar: text, title: text, start: text, end: text }),
    object({ id: text }),
    () => ({ id: 'ev-new' }),
    {},
  ),
  tool(
    'get_stock',
    'How many of an item are in stock, and the level at which it is reordere',
    object({ sku: text }),
    object({ sku: text, count: integer, reorder_at: integer }),
    ({ sku }) => ({ sku, count: 3, reorder_at: 10 }),
  ),
  tool(
    'reorder',
    'Order more of an item from its supplier.',
    object({ sku: text, count: integer }),
    object({ id: text }),
    () => ({ id: 'PO-77' }),
    {},
  ),
];

export default { setup: () => ({ packs: { shop } }) };
