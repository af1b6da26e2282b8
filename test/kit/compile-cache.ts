import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Many processes of the tests load all of the host: what one of them compiled, the next ones take from where `pegboard` itself keeps it. */
export default function setup(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
}
