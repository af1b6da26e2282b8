/**
 * `register-manifests.ts HOME COUNT HOST`: prints the milliseconds until a host of the module HOST has that home's
 * tools in its registry.
 */
const [home, count, module] = process.argv.slice(2) as [string, string, string];
const { createHost } = (await import(module)) as typeof import('../../host/exports/embed.ts');
const start = performance.now();
await using host = await createHost({ home, mcp: 'off' });
const { tools } = host.registry.snapshot;
const elapsed = performance.now() - start;
const registered = [...tools.keys()].filter((id) => id.startsWith('bench.')).length;
if (registered < Number(count)) throw new Error(`${registered} tools instead of ${count}`);
console.log(elapsed);
