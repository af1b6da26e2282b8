import type { ClientBase } from 'pg';

/** A table, index, sequence, view, function, type or schema. */
export interface CatalogObject {
  /** Its kind and name. */
  readonly key: string;
  readonly kind: string;
  /** With its schema, unless that is ours. */
  readonly name: string;
  /** Changes with anything that a statement changes in it, except its rows. */
  readonly definition: string;
  /** The key of the table that an index is on. */
  readonly on: string | undefined;
  readonly isOwnSchema: boolean;
  /** Whether the current transaction has created or changed it. */
  readonly isMine: boolean;
}

export type Catalog = ReadonlyMap<string, CatalogObject>;

/** Everything in the database that isn't the server's own. */
export async function readCatalog(client: ClientBase): Promise<Catalog> {
  const { rows } = await client.query<{
    kind: string;
    name: string;
    on: string | null;
    definition: string;
    own_schema: number;
    mine: number;
  }>(query);
  return new Map(
    rows.map(({ kind, name, on, definition, own_schema, mine }) => {
      const key = `${kind} ${name}`;
      const isOwnSchema = own_schema === 1;
      return [
        key,
        { key, kind, name, definition, on: on ?? undefined, isOwnSchema, isMine: mine === 1 },
      ] as const;
    }),
  );
}

/** How many rows the current transaction has inserted, updated or deleted, by the key of the table. */
export async function changedRows(client: ClientBase): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ key: string; changes: number }>(
    `select 'table ' || ${nameOf('schemaname', 'relname')} as key, n_tup_ins + n_tup_upd + n_tup_del as changes
    from pg_stat_xact_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0`,
  );
  return new Map(rows.map(({ key, changes }) => [key, changes]));
}

function nameOf(schema: string, name: string): string {
  return `case ${schema} when 'pegboard' then '' else ${schema} || '.' end || ${name}`;
}

const isOurs = (alias: string): string =>
  `${alias}.nspname <> 'pg_catalog' and ${alias}.nspname <> 'information_schema' and ${alias}.nspname not like 'pg\\_toast%'`;

const isMine = (alias: string): string => `(${alias}.xmin = pg_current_xact_id()::xid)`;

const kinds = `case class.relkind when 'i' then 'index' when 'I' then 'index' when 'S' then 'sequence' when 'v' then 'view'
  when 'm' then 'view' else 'table' end`;

/** Not what analysing and vacuuming change. */
const definitionOfRelation = `md5(concat_ws('|', class.relowner, class.relacl, class.relfilenode, class.relrowsecurity, class.reloptions,
  (select string_agg(concat_ws(' ', attname, atttypid, atttypmod, attnotnull, attcollation, attidentity, attgenerated, attacl), ',' order by attnum)
    from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped),
  (select string_agg(pg_get_expr(adbin, adrelid), ',' order by adnum) from pg_attrdef where adrelid = class.oid),
  (select string_agg(conname || pg_get_constraintdef(oid), ',' order by conname) from pg_constraint where conrelid = class.oid),
  (select string_agg(pg_get_triggerdef(oid) || tgenabled::text, ',' order by tgname)
    from pg_trigger where tgrelid = class.oid and not tgisinternal),
  (select string_agg(pg_get_ruledef(oid) || ev_enabled::text, ',' order by rulename) from pg_rewrite where ev_class = class.oid),
  (select string_agg(policy::text, ',' order by polname) from pg_policy policy where polrelid = class.oid),
  case when class.relkind in ('i', 'I') then pg_get_indexdef(class.oid) end))`;

const query = `
select ${kinds} as kind, ${nameOf('space.nspname', 'class.relname')} as name,
  (select 'table ' || ${nameOf('of_space.nspname', 'indexed.relname')} from pg_index index
    join pg_class indexed on indexed.oid = index.indrelid
    join pg_namespace of_space on of_space.oid = indexed.relnamespace where index.indexrelid = class.oid) as "on",
  ${definitionOfRelation} as definition, (space.nspname = 'pegboard')::int as own_schema, ${isMine('class')}::int as mine
from pg_class class join pg_namespace space on space.oid = class.relnamespace
where ${isOurs('space')} and class.relkind <> 'c'
union all
select 'function', ${nameOf('space.nspname', `function.proname || '(' || pg_get_function_identity_arguments(function.oid) || ')'`)},
  null, md5(function::text), (space.nspname = 'pegboard')::int, ${isMine('function')}::int
from pg_proc function join pg_namespace space on space.oid = function.pronamespace where ${isOurs('space')}
union all
select 'type', ${nameOf('space.nspname', 'type.typname')},
  null, md5(concat_ws('|', type::text, (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = type.oid))),
  (space.nspname = 'pegboard')::int, ${isMine('type')}::int
from pg_type type join pg_namespace space on space.oid = type.typnamespace left join pg_class class on class.oid = type.typrelid
where ${isOurs('space')} and type.typelem = 0 and (type.typrelid = 0 or class.relkind = 'c')
union all
select 'schema', space.nspname, null, md5(space::text), 0, ${isMine('space')}::int
from pg_namespace space where ${isOurs('space')} and space.nspname not like 'pg\\_temp%'`;
