import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Many processes of the tests load the whole host, so they share compiled code: Node's own folder may be another user's. */
export default function setup(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), `node-compile-cache-${process.getuid?.() ?? ''}`);
}
