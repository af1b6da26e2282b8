import type { Static, TSchema } from 'typebox';
import type { FailedResult, StructuredResult } from '../api/result.ts';

/** The type that an `outputSchema` describes, TypeBox or plain JSON Schema. */
export type StructureOf<Schema extends TSchema> = ReadonlyDeep<Static<Schema>>;

/**
 * What a tool with this `outputSchema` returns: the structure, whose JSON becomes the text; a result with the structure
 * beside its text; or a failed result.
 */
export type StructuredOutput<Schema extends TSchema> =
  | StructureOf<Schema>
  | StructuredResult<StructureOf<Schema>>
  | FailedResult;

type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;
