import { describe, expect, test } from 'vitest';
import { sourceKinds, type ToolSource } from '../../../host/api/source.ts';
import { silentLogger } from '../../../host/core/log.ts';
import { createRegistry } from '../../../host/tools/registry.ts';
import { textOf } from '../../../host/tools/result.ts';
import { kernel } from '../dispatch.ts';

/** A real source with an echo tool, and what is needed to test it. */
export interface SourceUnderTest extends AsyncDisposable {
  readonly source: ToolSource;
  /** Bare name of a tool that takes a required string and returns it. */
  readonly echo: { readonly name: string; readonly parameter: string };
  /** Makes the source list another tool; absent for a source that never changes. */
  readonly change?: () => Promise<void> | void;
}

/** The contract between every source and the registry and dispatch. */
export function testToolSource(
  name: string,
  open: () => Promise<SourceUnderTest>,
  { changes }: { readonly changes: boolean },
): void {
  describe(`as a tool source, ${name}`, () => {
    test('says who it is', async () => {
      await using opened = await open();
      const { source } = opened;
      expect(sourceKinds).toContain(source.kind);
      expect(source.id).toMatch(/\S/);
      expect(source.module).toMatch(/^[a-zA-Z0-9][\w.-]*$/);
      expect(source.description).toMatch(/\S/);
    });

    test('lists tools that are complete, each under one name, and lists them again in the same order', async () => {
      await using opened = await open();
      const { tools } = await opened.source.list();
      expect(tools.length).toBeGreaterThan(0);
      for (const tool of tools) {
        expect(tool.name).toMatch(/\S/);
        expect(tool.description, tool.name).toMatch(/\S/);
        expect(tool.parameters, tool.name).toMatchObject({ type: 'object' });
        expect(() => structuredClone(tool.parameters)).not.toThrow();
      }
      const names = tools.map((tool) => tool.name);
      expect(new Set(names).size).toBe(names.length);
      expect((await opened.source.list()).tools.map((tool) => tool.name)).toEqual(names);
    });

    test('runs a tool with exactly the text that it is given', async () => {
      await using opened = await open();
      const { call } = await kernel(opened.source);
      const text = 'a "b" $(c) `d` ; e \\ ü 🎈 *';
      const { name: tool, parameter } = opened.echo;
      const result = await call(`${opened.source.module}.${tool}`, { [parameter]: text });
      expect(result.error).toBeUndefined();
      expect(textOf(result)).toContain(text);
    });

    test('refuses arguments that do not fit before anything runs, with the schema to repair the call by', async () => {
      await using opened = await open();
      const { call } = await kernel(opened.source);
      const { name: tool } = opened.echo;
      const { error } = await call(`${opened.source.module}.${tool}`, {});
      expect(error).toMatchObject({
        code: 'PEG_INVALID_ARGUMENTS',
        stage: 'validate',
        data: { schema: { type: 'object' } },
      });
    });

    test('answers a call that was cancelled before it began without running it', async () => {
      await using opened = await open();
      const { call } = await kernel(opened.source);
      const { name: tool, parameter } = opened.echo;
      const { error } = await call(tool, { [parameter]: 'x' }, { signal: AbortSignal.abort() });
      expect(error?.code).toBe('PEG_CANCELLED');
    });

    if (changes) {
      test('tells of a change, and lists what is true then', async () => {
        await using opened = await open();
        const registry = createRegistry(silentLogger);
        await using _handle = await registry.add(opened.source);
        const before = [...registry.snapshot.tools.keys()];
        const changed = new Promise<void>((resolve) => registry.onChange(() => resolve()));
        await opened.change!();
        await changed;
        expect([...registry.snapshot.tools.keys()]).not.toEqual(before);
      });
    }

    test('can be closed twice', async () => {
      await using opened = await open();
      const { source } = opened;
      await source[Symbol.asyncDispose]?.();
      await source[Symbol.asyncDispose]?.();
    });
  });
}
