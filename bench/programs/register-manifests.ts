/** `register-manifests.ts HOME COUNT`: prints the milliseconds until a host has that home's tools in its registry. */
import { createHost } from '../../host/host.ts';

const [home, count] = process.argv.slice(2) as [string, string];
const start = performance.now();
await using host = await createHost({ home, mcp: 'off' });
const { tools } = host.registry.snapshot;
const elapsed = performance.now() - start;
const registered = [...tools.keys()].filter((id) => id.startsWith('bench.')).length;
if (registered < Number(count)) throw new Error(`${registered} tools instead of ${count}`);
console.log(elapsed);
