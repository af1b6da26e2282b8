import Type from 'typebox';
import { expect, expectTypeOf, test } from 'vitest';
import { defineTool } from '../../../host/plugins/define.ts';

test("the arguments' type follows from TypeBox", () => {
  const tool = defineTool({
    name: 'move',
    description: 'Moves',
    parameters: Type.Object({ to: Type.String(), by: Type.Optional(Type.Number()) }),
    prepare: (args) => {
      expectTypeOf(args).toEqualTypeOf<{ to: string; by?: number }>();
      return { preview: args.to, plan: { steps: 3 } };
    },
    execute: (args, call) => {
      expectTypeOf(args.to).toEqualTypeOf<string>();
      expectTypeOf(args.by).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: there is no such argument
      void args.from;
      return call.args.to;
    },
  });
  expect(tool.parameters).toMatchObject({ type: 'object', required: ['to'] });
});

test("the arguments' type follows from plain JSON Schema too", () => {
  const tool = defineTool({
    name: 'pick',
    description: 'Picks',
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['kind'],
      properties: { kind: { enum: ['a', 'b'] }, sizes: { type: 'array', items: { type: 'integer' } } },
    },
    execute: (args) => {
      expectTypeOf(args.kind).toEqualTypeOf<'a' | 'b'>();
      // @ts-expect-error: kind is one of two
      void (args.kind === 'c');
      return args.kind;
    },
  });
  expect(tool.name).toBe('pick');
});
