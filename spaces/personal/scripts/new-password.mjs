import { randomInt } from 'node:crypto';

// No letters and digits that look alike.
const characters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_.!';
const length = Number(process.argv[2]);

console.log(Array.from({ length }, () => characters[randomInt(characters.length)]).join(''));
