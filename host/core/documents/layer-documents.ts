import type { SourceDocument } from './document.ts';
import { pointerTo } from './pointer.ts';
import { valueAt } from './check-document.ts';

export interface LayeredDocument extends SourceDocument {
  /** The document that the value at a JSON pointer was taken from. */
  sourceOf(pointer: string): SourceDocument;
}

export interface LayerOptions {
  /** The value replaces the one of `base`, although both are maps. */
  readonly isWhole: (pointer: string, value: unknown) => boolean;
  /** A list at this pointer continues the one of `base`. */
  readonly isJoined: (pointer: string) => boolean;
}

/**
 * `base` with the values of `over`. Maps are merged key by key; anything else replaces what `base` has, unless `options`
 * say otherwise. Positions are those of the document that a value was taken from.
 */
export function layerDocuments(
  base: SourceDocument,
  over: SourceDocument,
  { isWhole, isJoined }: LayerOptions,
): LayeredDocument {
  const merge = (below: unknown, above: unknown, pointer: string): unknown => {
    if (above === undefined || (above === null && pointer === '')) return below;
    if (Array.isArray(below) && Array.isArray(above) && isJoined(pointer)) return [...below, ...above];
    if (!isMap(below) || !isMap(above) || isWhole(pointer, above)) return above;
    const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
    return Object.fromEntries(
      [...keys].map((key) => [key, merge(own(below, key), own(above, key), pointer + pointerTo(key))]),
    );
  };
  /** The document that has the value, and the pointer to it there. */
  const find = (pointer: string): { readonly source: SourceDocument; readonly at: string } => {
    const [, list = '', index = '', rest = ''] = /^(.+)\/(\d+)(.*)$/.exec(pointer) ?? [];
    const below = isJoined(list) ? valueAt(base.value, list) : undefined;
    if (Array.isArray(below) && Array.isArray(valueAt(over.value, list)))
      return Number(index) < below.length
        ? { source: base, at: pointer }
        : { source: over, at: `${list}/${Number(index) - below.length}${rest}` };
    return { source: valueAt(over.value, pointer) === undefined ? base : over, at: pointer };
  };
  const there = <T>(pointer: string, look: (source: SourceDocument, at: string) => T): T => {
    const { source, at } = find(pointer);
    return look(source, at);
  };
  return {
    path: base.path,
    value: merge(base.value, over.value, ''),
    diagnostics: [...base.diagnostics, ...over.diagnostics],
    sourceOf: (pointer) => find(pointer).source,
    locate: (pointer, part) => there(pointer, (source, at) => source.locate(at, part)),
    locateInside: (pointer, offset) => there(pointer, (source, at) => source.locateInside(at, offset)),
    written: (pointer) => there(pointer, (source, at) => source.written(at)),
    commentAfter: (pointer) => there(pointer, (source, at) => source.commentAfter(at)),
  };
}

type Map = { readonly [key: string]: unknown };

const isMap = (value: unknown): value is Map =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const own = (map: Map, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);
