import { PegboardError } from 'pegboard';
import { nearest } from 'pegboard/channels';
import { listOf, matchesGlob, type Members, membersOf, trimmedText, withCommas } from 'pegboard/kit';
import { plainLine } from '../foreign-text.ts';
import { toId, uniqueIds } from '../names.ts';
import type { LeftOutTool } from '../tool-plan.ts';
import { UnusableOperation, type ApiDocument } from './api-document.ts';

/** One operation of a document, with the name that its tool gets. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The item of its path, with what all operations of the path have. */
  readonly item: Members;
  readonly operation: Members;
  readonly tags: readonly string[];
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

export interface FoundOperations {
  readonly operations: readonly Operation[];
  /** How many are left out because they are deprecated. */
  readonly deprecated: number;
  /** Paths that can't be read, with the reason. */
  readonly unusable: readonly LeftOutTool[];
}

/** All operations but deprecated ones. Names don't depend on what is chosen of them. */
export function findOperations({ root, resolve }: ApiDocument): FoundOperations {
  const operations: Operation[] = [];
  const unusable: LeftOutTool[] = [];
  let deprecated = 0;
  const uniqueId = uniqueIds();
  for (const [path, written] of Object.entries(membersOf(root['paths']))) {
    if (!path.startsWith('/')) continue;
    let item: Members;
    try {
      item = resolve(written);
    } catch (cause) {
      if (!(cause instanceof UnusableOperation)) throw cause;
      unusable.push({ what: plainLine(path), why: cause.message });
      continue;
    }
    for (const method of methods) {
      if (item[method] === undefined) continue;
      const operation = membersOf(item[method]);
      const id = uniqueId(idOf(operation, method, path));
      if (operation['deprecated'] === true) {
        deprecated++;
        continue;
      }
      const tags = listOf(operation['tags'])
        .map(plainLine)
        .filter((tag) => tag !== '');
      operations.push({ id, method: method.toUpperCase(), path, item, operation, tags });
    }
  }
  return { operations, deprecated, unusable };
}

/** Its operationId, or method and path: "GET /pets/{id}" is "get-pets-by-id". */
function idOf(operation: Members, method: string, path: string): string {
  const fromPath = toId(`${method} ${path.replaceAll(/\{([^{}]*)\}/g, ' by $1 ')}`);
  const own = toId(trimmedText(operation['operationId']));
  if (own === '') return fromPath;
  // Some frameworks add the path and the method: "read_item_items__item_id__get".
  const added = `-${toId(path.replaceAll(/[{}]/g, ' '))}-${method}`;
  return own.endsWith(added) && own.length > added.length ? own.slice(0, -added.length) : own;
}

export interface Filters {
  readonly tags: readonly string[];
  readonly paths: readonly string[];
  readonly only: readonly string[];
  readonly limit: number;
}

/**
 * Those that the owner chose: each kind of filter narrows the choice, and of one kind any may match. Throws PEG_USAGE
 * where none or more than the limit are left.
 */
export function chooseOperations(
  all: readonly Operation[],
  { tags, paths, only, limit }: Filters,
  title: string,
): readonly Operation[] {
  const wanted = tags.map((tag) => tag.toLowerCase());
  const chosen = all.filter(
    ({ id, path, tags: own }) =>
      (wanted.length === 0 || own.some((tag) => wanted.includes(tag.toLowerCase()))) &&
      (paths.length === 0 || paths.some((pattern) => matchesPath(pattern, path))) &&
      (only.length === 0 || only.some((pattern) => matchesGlob(pattern, id))),
  );
  if (chosen.length > 0 && chosen.length <= limit) return chosen;
  throw new PegboardError(
    'PEG_USAGE',
    chosen.length === 0
      ? `${title} has no operation of that kind. ${hintFor(all, { tags, paths, only })}`
      : `${title} has ${withCommas(chosen.length)} operations${chosen.length < all.length ? ' of that kind' : ''}, and ${withCommas(limit)} are imported at once, so that a model still finds the right one. Choose some with --tag, --path or --only, or say how many with --limit. ${tagsIn(chosen)}`,
  );
}

/** "/repos" has "/repos/{owner}" in it; `*` matches anything. */
const matchesPath = (pattern: string, path: string): boolean =>
  pattern.includes('*')
    ? matchesGlob(pattern, path)
    : path === pattern || path.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`);

function hintFor(
  all: readonly Operation[],
  { tags, paths, only }: Pick<Filters, 'tags' | 'paths' | 'only'>,
): string {
  const named = Object.entries({ tag: tags, path: paths, only });
  const [option, list] = named.find(([, values]) => values.some((value) => value.includes(','))) ?? [];
  if (option !== undefined)
    return `--${option} takes one name, and can be repeated: ${list!
      .flatMap((value) => value.split(','))
      .map((value) => `--${option} ${value.trim()}`)
      .join(' ')}`;
  const known = new Set(all.flatMap((operation) => operation.tags));
  const near = [
    ...tags.flatMap((tag) => nearest(tag, known)),
    ...only.flatMap((name) =>
      nearest(
        name,
        all.map(({ id }) => id),
      ),
    ),
  ];
  return near.length > 0 ? `Did you mean ${near.join(', ')}?` : tagsIn(all);
}

/** The largest groups: "Its tags: repos (201), issues (55)". */
function tagsIn(operations: readonly Operation[]): string {
  const counts = new Map<string, number>();
  for (const tag of operations.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const largest = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 12);
  if (largest.length === 0) return '';
  const rest = counts.size - largest.length;
  return `Its tags: ${largest.map(([tag, count]) => `${tag} (${count})`).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}.`;
}
