import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Each test file has a process of its own, and half of them load all of the host: what one of them compiled, the next
 * ones take from where `pegboard` itself keeps it.
 */
export default function setup(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
}
