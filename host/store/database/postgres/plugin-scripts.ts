import type { ClientBase } from 'pg';
import type { TableOwner } from '../plugin-migrations.ts';
import { changedRows, readCatalog, type Catalog, type CatalogObject } from './catalog.ts';
import { codeOf } from './errors.ts';
import { run } from './migrate.ts';

/**
 * Runs the scripts after the first `done` ones, within a transaction. They may only create, change, fill and drop the
 * plugin's own objects; what they have done is compared after each. Throws an error about anything else; the caller
 * rolls back.
 */
export async function runPluginScripts(
  client: ClientBase,
  owner: TableOwner,
  scripts: readonly string[],
  done: number,
): Promise<void> {
  const before = await readCatalog(client);
  const owners = await readOwners(client);
  const isOwn = (object: CatalogObject): boolean =>
    owners.get(object.key) === owner.plugin || !before.has(object.key);
  let now = before;
  for (const [index, script] of scripts.entries()) {
    if (index < done) continue;
    const number = index + 1;
    const refuse = (does: string, object: CatalogObject): Error => {
      const whose = owners.get(object.key);
      return new Error(
        `its migration ${number} ${does} the ${object.kind} "${object.name}", which belongs to ${whose === undefined ? 'Pegboard or somebody else' : `the plugin ${whose}`}. A migration may only change what migrations of its own plugin created: remove that statement`,
      );
    };
    const rows = await changedRows(client);
    await runScript(client, script, number);
    const earlier = now;
    now = await readCatalog(client);
    for (const object of earlier.values()) {
      const next = now.get(object.key);
      if (next?.definition === object.definition || isOwn(object)) continue;
      if (next === undefined || next.isOwnSchema || next.isMine)
        throw refuse(next ? 'changes' : 'drops', object);
    }
    for (const [key, changes] of await changedRows(client)) {
      const object = now.get(key);
      if (object && changes !== (rows.get(key) ?? 0) && !isOwn(object)) throw refuse('changes', object);
    }
    for (const object of now.values())
      if (!before.has(object.key)) checkNew(object, number, now, owner, isOwn, refuse);
  }
  await record(
    client,
    owner.plugin,
    [...now.values()].filter(({ isOwnSchema }) => isOwnSchema).filter(isOwn),
  );
}

function checkNew(
  object: CatalogObject,
  number: number,
  now: Catalog,
  { prefixes }: TableOwner,
  isOwn: (object: CatalogObject) => boolean,
  refuse: (does: string, object: CatalogObject) => Error,
): void {
  const { kind, name, isOwnSchema, isMine, on } = object;
  // Another program created it in the meantime.
  if (!isOwnSchema && !isMine) return;
  const table = on === undefined ? undefined : now.get(on);
  if (table && !isOwn(table)) throw refuse(`adds the ${kind} "${name}" to`, table);
  if (isOwnSchema && prefixes.some((prefix) => name.toLowerCase().startsWith(prefix))) return;
  throw new Error(
    `its migration ${number} creates the ${kind} "${name}", but a plugin's names begin with ${[...new Set(prefixes)].map((prefix) => `"${prefix}"`).join(' or ')}. Rename it in that migration`,
  );
}

/** As one statement, so that the script can't end the transaction. */
async function runScript(client: ClientBase, script: string, number: number): Promise<void> {
  let tag = '$script$';
  while (script.includes(tag)) tag = `${tag.slice(0, -1)}_$`;
  try {
    await run(client, `do $run$ begin execute ${tag}${script || 'select 1'}${tag}; end $run$`);
  } catch (cause) {
    if (codeOf(cause) !== '0A000') throw cause;
    throw new Error(
      `its migration ${number} has a statement like COMMIT or ROLLBACK, but all migrations run in one transaction of this database. Remove that statement`,
      { cause },
    );
  }
}

async function readOwners(client: ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ object: string; plugin: string }>(
    'select object, plugin from pegboard.plugin_objects',
  );
  return new Map(rows.map(({ object, plugin }) => [object, plugin]));
}

async function record(client: ClientBase, plugin: string, objects: readonly CatalogObject[]): Promise<void> {
  await client.query('delete from pegboard.plugin_objects where plugin = $1', [plugin]);
  await client.query('insert into pegboard.plugin_objects (object, plugin) select unnest($1::text[]), $2', [
    objects.map(({ key }) => key),
    plugin,
  ]);
}
