import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { TestHome } from '../../../kit/homes/home.ts';

/**
 * Those of `pg` and `pg-boss` that a host of the home loads, also by `require`, when it stores something and its services
 * work on queues.
 */
export async function loadedBy(home: TestHome): Promise<readonly string[]> {
  const embed = pathToFileURL(join(import.meta.dirname, '../../../../host/exports/embed.ts')).href;
  const code = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        const name = /node_modules\\/(pg|pg-boss)\\//.exec(url)?.[1];
        if (name) loaded.add(name);
        return next(url, context);
      },
    });
    const { createHost } = await import(${JSON.stringify(embed)});
    await using host = await createHost({ home: process.argv[1], trustHome: true });
    await host.setUpPlugins();
    const scope = { identity: 'host', access: {} };
    const stored = await host.dispatch({ name: 'memory_store', args: { content: 'x' }, scope, caller: 'test', confirm: 'never' });
    if (stored.isError) throw new Error(JSON.stringify(stored));
    await host.plugins.startServices();
    console.log(JSON.stringify([...loaded].toSorted()));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    code,
    home.path,
  ]);
  return JSON.parse(stdout) as readonly string[];
}
