import type { SourceDocument } from './document.ts';
import { pointerTo } from './pointer.ts';
import { valueAt } from './check-document.ts';

export interface LayeredDocument extends SourceDocument {
  /** The document that the value at a JSON pointer was taken from. */
  sourceOf(pointer: string): SourceDocument;
}

/**
 * `base` with the values of `over`. Maps are merged key by key; anything else replaces what `base` has, as do the values
 * for which `isWhole` is true. Positions are those of the document that a value was taken from.
 */
export function layerDocuments(
  base: SourceDocument,
  over: SourceDocument,
  isWhole: (pointer: string, value: unknown) => boolean,
): LayeredDocument {
  const merge = (below: unknown, above: unknown, pointer: string): unknown => {
    if (above === undefined || (above === null && pointer === '')) return below;
    if (!isMap(below) || !isMap(above) || isWhole(pointer, above)) return above;
    const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
    return Object.fromEntries(
      [...keys].map((key) => [key, merge(own(below, key), own(above, key), pointer + pointerTo(key))]),
    );
  };
  const sourceOf = (pointer: string): SourceDocument =>
    valueAt(over.value, pointer) === undefined ? base : over;
  return {
    path: base.path,
    value: merge(base.value, over.value, ''),
    diagnostics: [...base.diagnostics, ...over.diagnostics],
    sourceOf,
    locate: (pointer, part) => sourceOf(pointer).locate(pointer, part),
    locateInside: (pointer, offset) => sourceOf(pointer).locateInside(pointer, offset),
    written: (pointer) => sourceOf(pointer).written(pointer),
    commentAfter: (pointer) => sourceOf(pointer).commentAfter(pointer),
  };
}

type Map = { readonly [key: string]: unknown };

const isMap = (value: unknown): value is Map =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const own = (map: Map, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);
