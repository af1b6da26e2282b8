/** The parts that file formats are made of. What they make is JSON Schema, and a type by `Written`. */
import Type, { type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import type { JsonObject } from '../api/result.ts';

/** What a file of this format holds, once it has been checked. */
export type Written<Format extends TSchema> = DeepReadonly<Static<Format>>;

type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** JSON Schema keywords beside those that a part sets itself. */
type Keywords = JsonObject;

/** Lower-case words with hyphens between. */
export const id = (keywords: Keywords) =>
  Type.String({ examples: ['my-name'], ...keywords, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 });

/** A text that isn't empty. */
export const text = (keywords: Keywords = {}) => Type.String({ ...keywords, minLength: 1 });

export const textList = (keywords: Keywords = {}) => Type.Array(text(), keywords);

/** An address, or a reference to the variable that holds one. */
export const address = (keywords: Keywords) =>
  Type.String({ examples: ['https://example.com'], ...keywords, pattern: '^(https?://|\\$\\{)' });

/** One of several values. */
export const choice = <const Value extends string | boolean>(
  values: readonly Value[],
  keywords: Keywords = {},
): TUnsafe<Value> => Type.Unsafe({ ...keywords, enum: values });

/** A map with these keys and no others. */
export const closed = <Properties extends TProperties>(
  properties: Properties,
  keywords: Keywords = {},
): TObject<Properties> => Type.Object(properties, { ...keywords, additionalProperties: false });

/** A map from names of any kind. */
export const mapOf = <Value extends TSchema>(
  value: Value,
  keywords: Keywords = {},
): TUnsafe<{ [name: string]: Static<Value> }> =>
  Type.Unsafe({ ...keywords, type: 'object', additionalProperties: value });

/** A map of anything. */
export const anyMap = (keywords: Keywords): TUnsafe<JsonObject> =>
  Type.Unsafe({ ...keywords, type: 'object' });

/** A map that may be left empty: a key with nothing after it is null in YAML. */
export const nullable = <Map extends TSchema>(map: Map): TUnsafe<Static<Map> | null> =>
  Type.Unsafe({ ...map, type: ['object', 'null'] });

/** The same format, described for the place where it is used. */
export const described = <Format extends TSchema>(
  format: Format,
  keywords: Keywords,
): TUnsafe<Static<Format>> => Type.Unsafe({ ...format, ...keywords });
