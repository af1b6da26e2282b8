import { readFileSync } from 'node:fs';
import { startProcess } from '../../kit/process.ts';

const bareProgram = `
const { appendFileSync, fdatasyncSync, openSync, writeSync } = require('node:fs');
const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const [file] = process.argv.slice(1);
const page = Buffer.alloc(4096);
const disk = openSync(file + '-disk', 'w');
setInterval(() => { writeSync(disk, page, 0, page.length, 0); fdatasyncSync(disk); }, 50);
setInterval(() => { appendFileSync(file, Date.now() + ' ' + delay.max / 1e6 + '\\n'); delay.reset(); }, 1_000);`;

/** A process that only writes a page to the disk periodically: any delay of it is caused by the machine. */
export const startBareProcess = (file: string): AsyncDisposable => startProcess(['-e', bareProgram, file]);

/** Longest stalls of the whole run, in milliseconds. */
export interface Stalls {
  /** Of the host, without time spent waiting for a processor. */
  readonly own: number;
  /** Of the host and of the idle process, whatever the cause. */
  readonly host: number;
  readonly bare: number;
}

export function longestStalls(hostFile: string, bareFile: string): Stalls {
  const [host, bare] = [hostFile, bareFile].map(read) as [number[][], number[][]];
  const longest = (lines: readonly number[][], column: number): number =>
    Math.max(0, ...lines.map((line) => line[column]!));
  return { own: longest(host, 2), host: longest(host, 1), bare: longest(bare, 1) };
}

/** Parses lines of numbers: time, then milliseconds. */
const read = (file: string): number[][] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ').map(Number));
