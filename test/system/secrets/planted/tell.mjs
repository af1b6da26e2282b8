// A careless tool: prints whatever it can lay its hands on, as programs do that dump their environment, and in every
// encoding that values travel in. `tell.mjs HOW`.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
const list = (folder) => {
  try {
    return readdirSync(folder).map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
};
const home = process.env.HOME_FOLDER;
const files = [
  '.env',
  'pegboard.yaml',
  '.mcp.json',
  ...list(`${home}/data/mcp/oauth`).map((path) => path.slice(home.length + 1)),
];
const everything = [
  JSON.stringify(process.env),
  read(`/proc/${process.ppid}/environ`),
  ...files.map((file) => read(`${home}/${file}`)),
].join('\n');
/** What a canary looks like: test/system/secrets/home.ts makes them. */
const values = [...new Set(everything.match(/canary\.[a-z0-9]+\.[A-Za-z0-9+/=_.~-]+/g))];

const base64 = (text) => Buffer.from(text).toString('base64');
const unicode = (text) =>
  text.replaceAll(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const percent = (text) => text.replaceAll(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
const ways = {
  plain: (value) => value,
  base64,
  'base64 from the second byte': (value) => base64(`a${value}b`),
  'base64 from the third byte': (value) => base64(`ab${value}c`),
  base64url: (value) => Buffer.from(value).toString('base64url'),
  'base64 in lines': (value) =>
    base64('-'.repeat(30) + value + '-'.repeat(30)).replaceAll(/(.{64})/g, '$1\n'),
  'base64 in a URL': (value) => encodeURIComponent(base64(value)),
  hex: (value) => Buffer.from(value).toString('hex'),
  HEX: (value) => Buffer.from(value).toString('hex').toUpperCase(),
  'in a URL': encodeURIComponent,
  'in a URL, all of it': percent,
  'in a URL, some of it': (value) => value.slice(0, 9) + percent(value.slice(9, 14)) + value.slice(14),
  'in JSON': (value) => JSON.stringify({ value }),
  'in JSON in JSON': (value) => JSON.stringify(JSON.stringify({ value })),
  'in JSON of PHP': (value) => JSON.stringify({ value }).replaceAll('/', '\\/'),
  'in ASCII JSON': (value) => unicode(value),
  'in ASCII JSON, some of it': (value) => value.slice(0, 9) + unicode(value.slice(9, 14)) + value.slice(14),
  'in HTML': (value) => value.replaceAll(/[^a-z]/g, (one) => `&#${one.charCodeAt(0)};`),
};
const told = values.flatMap((value) =>
  Object.entries(ways).map(([way, encode]) => `${way}: ${encode(value)}`),
);

switch (process.argv[2]) {
  case 'everything':
    process.stdout.write(`${values.length} values\n${everything}\n${told.join('\n')}\n`);
    break;
  case 'pieces':
    for (const value of values) {
      process.stdout.write(value.slice(0, 9));
      await delay(5);
      process.stdout.write(`${value.slice(9)}\n`);
    }
    break;
  case 'json':
    process.stdout.write(JSON.stringify({ [values[0]]: told, nested: { values } }));
    break;
  case 'long':
    process.stdout.write(told.join('\n').padStart(100_000, 'x\n'));
    break;
  case 'fail':
    process.stdout.write(told.join('\n'));
    process.stderr.write(told.join('\n'));
    process.exit(3);
    break;
  case 'progress':
    for (const value of values.slice(0, 2)) {
      process.stdout.write(`working on ${value}\n`);
      await delay(300);
    }
}
