const degrees = Number(process.argv[2]);
const converted = process.argv[3] === 'fahrenheit' ? (degrees * 9) / 5 + 32 : ((degrees - 32) * 5) / 9;

console.log(Number(converted.toFixed(2)));
