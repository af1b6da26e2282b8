const [operation, a, b] = process.argv.slice(2);
const operations = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
};
const result = operations[operation](Number(a), Number(b));

if (!Number.isFinite(result)) {
  process.stderr.write(`${a} can't be divided by ${b}`);
  process.exitCode = 1;
} else console.log(JSON.stringify({ result }));
