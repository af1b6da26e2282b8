/** Data of a realistic size, the same in every run. */

/** A linear congruential generator: the constants of ANSI C. */
const randomFrom = (seed: number) => (): number =>
  (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
const pick = <T>(random: () => number, some: readonly T[]): T => some[Math.floor(random() * some.length)]!;
const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const vocabulary =
  'meeting budget quarter review client delivery north warehouse project invoice pending approval travel hotel taxi lunch team update risk plan vendor contract renewal'.split(
    ' ',
  );

const words = (seed: number, count: number): string => {
  const random = randomFrom(seed);
  return many(count, () => pick(random, vocabulary)).join(' ');
};

export const users = many(40, (at) => ({
  id: `u${at}`,
  email: `user${at}@example.com`,
  name: `User ${at}`,
  address: { street: `${at} Main St`, city: 'Springfield', zip: String(10_000 + at), country: 'US' },
  payment_methods: [
    { id: `pm${at}a`, type: 'credit_card', last4: String(1_000 + at) },
    { id: `pm${at}b`, type: 'gift_card', balance: 20 + at },
  ],
  orders: many(1 + (at % 6), (order) => `W${1_000 + at * 10 + order}`),
}));

const variantsOf = (product: string) =>
  many(10, (at) => ({
    item_id: `${product}-v${at}`,
    options: {
      color: ['black', 'blue', 'red', 'green'][at % 4]!,
      size: ['S', 'M', 'L'][at % 3]!,
      material: at % 2 ? 'cotton' : 'polyester',
    },
    available: (at + product.length) % 3 !== 0,
    price: 20 + ((at * 37 + product.charCodeAt(1)) % 60) + 0.49,
  }));

export const products = many(30, (at) => ({
  id: `p${at}`,
  name: `Product ${at}`,
  category: ['shirts', 'shoes', 'bags'][at % 3]!,
  description: words(at + 7, 40),
  variants: variantsOf(`p${at}`),
}));

export const orders = users.flatMap((user, at) =>
  user.orders.map((id, nth) => ({
    id,
    user_id: user.id,
    status: ['pending', 'delivered', 'processed'][(at + nth) % 3]!,
    created: `2026-0${1 + ((at + nth) % 9)}-12`,
    items: many(1 + (nth % 4), (item) => ({
      product_id: `p${(at + item * 3) % 30}`,
      item_id: `p${(at + item * 3) % 30}-v${item}`,
      quantity: 1 + (item % 2),
      price: 25.5 + item * 10,
    })),
    address: user.address,
    payment: { method: user.payment_methods[0]!.id, amount: 60 + nth * 12.25 },
    fulfillment: [{ tracking: `TRK${id}`, carrier: 'UPS', item_ids: [`p${at % 30}-v0`] }],
    history: many(4, (step) => ({
      at: `2026-01-0${step + 1}T10:00:00Z`,
      event: pick(randomFrom(step + at), ['created', 'paid', 'packed', 'shipped']),
      note: words(step, 8),
    })),
  })),
);

export const employees = many(20, (at) => ({
  id: `e${at}`,
  name: `Employee ${at}`,
  team: 'sales',
  email: `e${at}@corp.example`,
  budget: 2_000 + (at % 5) * 250,
  manager: 'e0',
  phone: `+1555000${100 + at}`,
}));

export const expensesOf = (employee: string, quarter: string) => {
  const random = randomFrom(Number(employee.slice(1)) + 11);
  return many(30, (at) => ({
    id: `${employee}-${quarter}-${at}`,
    date: `2026-0${7 + (at % 3)}-${10 + (at % 18)}`,
    category: pick(random, ['travel', 'meals', 'hotel', 'software']),
    merchant: words(at + 3, 2),
    amount: Math.round(random() * 14_000) / 100,
    currency: 'USD',
    receipt: `https://receipts.example/${employee}/${at}`,
    status: 'approved',
    notes: words(at, 6),
  }));
};

export const services = many(12, (at) => ({ name: `svc-${at}`, owner: `team-${at % 4}` }));

export const statusOf = (name: string) => {
  const at = Number(name.slice(4));
  return {
    name,
    healthy: at % 5 !== 3,
    latency_ms: { p50: 12 + at, p95: 80 + at * 7, p99: 200 + at * 11 },
    error_rate: at % 5 === 3 ? 0.081 : 0.001,
    instances: many(6, (nth) => ({
      id: `${name}-${nth}`,
      zone: `z${nth % 3}`,
      cpu: 30 + nth * 3,
      memory: 512 + nth * 20,
      version: '4.2.1',
      uptime_s: 86_400 * (nth + 1),
    })),
    last_deploy: '2026-11-20T09:00:00Z',
    recent_events: many(5, (nth) => ({ at: `2026-11-21T0${nth}:00:00Z`, message: words(nth + at, 7) })),
  };
};

const labels = ['bug', 'feature', 'docs', 'security', 'question'];

export const issues = many(300, (at) => ({
  number: 1_000 + at,
  title: words(at, 7),
  state: at % 4 ? 'open' : 'closed',
  assignee: ['ann', 'bob', 'cy', null][at % 4 ? at % 3 : 3]!,
  labels: [labels[at % 5]!, ...(at % 7 === 0 ? ['urgent'] : [])],
  updated_at: `2026-${String(1 + (at % 11)).padStart(2, '0')}-05`,
  comments: at % 9,
  url: `https://git.example/org/repo/issues/${1_000 + at}`,
  author: `dev${at % 17}`,
}));

export const invoices = many(100, (at) => ({
  id: `INV-${at}`,
  customer: `Customer ${at % 25}`,
  amount: 100 + at * 3,
  due: `2026-1${at % 2}-0${1 + (at % 9)}`,
  currency: 'EUR',
  lines: 1 + (at % 5),
}));

export const payments = many(100, (at) => ({
  id: `PAY-${at}`,
  invoice: `INV-${at}`,
  amount: 100 + at * 3,
  at: '2026-10-05',
  method: 'sepa',
  reference: `RF${at}`,
})).filter((_, at) => at % 8 !== 5);

export const documents = [
  { id: 'transcript', title: 'Sales call', text: words(99, 3_500) },
  ...many(10, (at) => ({
    id: `file${at}`,
    title: `File ${at}`,
    text: `${words(at + 50, 350)}${at % 3 === 1 ? ` TODO: fix ${at} ` : ' '}${words(at + 60, 350)}`,
  })),
];

export const eventsOf = (calendar: string) =>
  many(6, (at) => ({
    id: `${calendar}-${at}`,
    title: words(at, 3),
    start: `2026-11-23T${String(8 + at + (calendar.length % 2)).padStart(2, '0')}:00`,
    end: `2026-11-23T${String(9 + at + (calendar.length % 2)).padStart(2, '0')}:00`,
    attendees: ['a@x', 'b@x', 'c@x'],
    location: `Room ${at}`,
    description: words(at + 5, 15),
  })).filter((_, at) => at !== 3);
