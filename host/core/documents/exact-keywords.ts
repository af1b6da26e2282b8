import type { Ajv, FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import { canonicalNumber, compareDecimals, isMultiple, isWhole, toDecimal } from './decimal.ts';
import { memberJson, writtenNumber, writtenText } from './written-numbers.ts';

/**
 * Replaces ajv's keywords that compare values, so that numbers are compared as written. To JavaScript, 9007199254740993
 * equals 9007199254740992, and 0.99999999999999999999 equals 1.
 */
export function compareExactly(ajv: Ajv): void {
  for (const definition of [...bounds, isInteger, isConstant, isListed, areUnique]) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
}

const bounds = [
  bound('minimum', 'must be at least', (order) => order >= 0),
  bound('maximum', 'must be at most', (order) => order <= 0),
  bound('exclusiveMinimum', 'must be above', (order) => order > 0),
  bound('exclusiveMaximum', 'must be below', (order) => order < 0),
  numeric('multipleOf', 'must be a multiple of', (value, factor) =>
    Number.isSafeInteger(value.number) && Number.isSafeInteger(factor.number)
      ? (value.number ?? 0) % (factor.number ?? 0) === 0
      : isMultiple(toDecimal(value.text), toDecimal(factor.text)),
  ),
];

/** `fits` gets the comparison of the value to the bound: negative if it is less. */
function bound(keyword: string, message: string, fits: (order: number) => boolean): FuncKeywordDefinition {
  return numeric(keyword, message, (value, limit) =>
    fits(
      value.number !== undefined && limit.number !== undefined
        ? value.number - limit.number
        : compareDecimals(toDecimal(value.text), toDecimal(limit.text)),
    ),
  );
}

/** A number as written. `number` is its JavaScript value where exact, which avoids parsing digits. */
interface Written {
  readonly text: string;
  readonly number?: number;
}

function writtenAt(holder: object, key: string | number): Written {
  const text = writtenNumber(holder, String(key));
  const number = (holder as { readonly [key: string | number]: number })[key]!;
  return text === undefined ? { text: String(number), number } : { text };
}

function numeric(
  keyword: string,
  message: string,
  fits: (value: Written, argument: Written) => boolean,
): FuncKeywordDefinition {
  return {
    keyword,
    type: 'number',
    schemaType: 'number',
    errors: true,
    compile(_, schema) {
      const argument = writtenAt(schema, keyword);
      return judge(
        (_value, { parentData, parentDataProperty: key }) => fits(writtenAt(parentData, key), argument),
        { keyword, message: `${message} ${argument.text}`, params: { limit: argument.text } },
      );
    },
  };
}

/** What `type: integer` adds to ajv's own check, which uses JavaScript's number. */
const isInteger: FuncKeywordDefinition = {
  keyword: 'type',
  schemaType: ['string', 'array'],
  errors: true,
  compile(type: string | readonly string[]) {
    const types = [type].flat();
    if (!types.includes('integer') || types.includes('number')) return () => true;
    return judge(
      (value, { parentData, parentDataProperty: key }) =>
        typeof value !== 'number' || isWhole(toDecimal(writtenText(parentData, key))),
      { keyword: 'type', message: `must be ${types.join()}`, params: { type } },
    );
  },
};

const isConstant: FuncKeywordDefinition = {
  keyword: 'const',
  errors: true,
  compile(_, schema) {
    const wanted = canonicalAt(schema, 'const');
    return judge(
      (_value, { parentData, parentDataProperty: key }) => canonicalAt(parentData, key) === wanted,
      {
        keyword: 'const',
        message: `must be ${memberJson(schema, 'const')}`,
        params: { allowedValue: schema['const'] as unknown },
      },
    );
  },
};

const isListed: FuncKeywordDefinition = {
  keyword: 'enum',
  schemaType: 'array',
  errors: true,
  compile(allowed: readonly unknown[]) {
    // Like ajv: a schema that allows no value is an error.
    if (allowed.length === 0) throw new Error('"enum" must list at least one value');
    const known = new Set(allowed.map((_, index) => canonicalAt(allowed, index)));
    return judge(
      (_value, { parentData, parentDataProperty: key }) => known.has(canonicalAt(parentData, key)),
      {
        keyword: 'enum',
        message: 'must be equal to one of the allowed values',
        params: { allowedValues: allowed },
      },
    );
  },
};

const areUnique: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  compile(wanted: boolean) {
    return judge(
      (items: readonly unknown[]) =>
        !wanted || new Set(items.map((_, index) => canonicalAt(items, index))).size === items.length,
      { keyword: 'uniqueItems', message: 'must not have the same entry twice', params: {} },
    );
  },
};

function judge(
  fits: (value: never, at: DataValidationCxt) => boolean,
  error: NonNullable<SchemaValidateFunction['errors']>[number],
): SchemaValidateFunction {
  const check: SchemaValidateFunction = (value: unknown, at: DataValidationCxt) => {
    const isRight = fits(value as never, at);
    check.errors = isRight ? [] : [{ ...error }];
    return isRight;
  };
  return check;
}

/** The value at `key` as a text that is the same for equal values, regardless of notation and member order. */
function canonicalAt(holder: object, key: string | number): string {
  const value = (holder as { readonly [key: string | number]: unknown })[key];
  if (typeof value === 'number') return canonicalNumber(writtenText(holder, key));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map((_, index) => canonicalAt(value, index)).join()}]`;
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((name) => `${JSON.stringify(name)}:${canonicalAt(value, name)}`).join()}}`;
}
