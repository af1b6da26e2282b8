import type { Client } from '@modelcontextprotocol/client';

type Json = { readonly [key: string]: unknown };

interface Sides {
  readonly name: string;
  readonly calls: readonly (readonly [tool: string, args: Json])[];
  readonly direct: Client;
  readonly behind: Client;
  readonly outcome: (work: () => Promise<unknown>) => Promise<unknown>;
}

/** Explanations of intended differences, by the end of their path. */
const reasons: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^tools\/call echo \{\}\./, 'arguments that do not fit are answered by Pegboard, with the schema'],
  [/^tools\/call get-env /, 'a server inherits a short list of variables, not all of them'],
];

const methodNotFound = -32_601;

/** Values that change with every call. */
const volatile = /\d{4}-\d\d-\d\dT[\d:.]+Z|\d{1,2}:\d\d:\d\d(?:\.\d+\s+\d+| [AP]M)?/g;

/** Compares lists, calls, resources and prompts; prints the differences, and returns how many are unexplained. */
export async function compareAll({ name, calls, direct, behind, outcome }: Sides): Promise<number> {
  let compared = 0;
  let unexplained = 0;
  const compare = (place: string, a: unknown, b: unknown): void => {
    compared++;
    for (const { path, left, right } of differences(place, a, b)) {
      const reason = reasons.find(([pattern]) => pattern.test(path))?.[1];
      if (reason === undefined) unexplained++;
      console.log(`  ${path}: ${show(left)} → ${show(right)}${reason === undefined ? '' : ` (${reason})`}`);
    }
  };
  console.log(name);
  const tools = (await direct.listTools()).tools;
  const theirs = new Map(
    (await behind.listTools()).tools.map((tool) => [tool.name.replace(`${name}__`, ''), tool]),
  );
  for (const tool of tools)
    compare(`tools/list[${tool.name}]`, { ...tool, name: '' }, { ...theirs.get(tool.name), name: '' });
  const free = tools
    .filter(
      ({ inputSchema, annotations }) => !inputSchema.required?.length && annotations?.readOnlyHint === true,
    )
    .map(({ name: tool }) => [tool, {}] as const);
  for (const [tool, args] of [...calls, ...free]) {
    const call = (client: Client, called: string) =>
      outcome(() => client.request({ method: 'tools/call', params: { name: called, arguments: args } }));
    compare(
      `tools/call ${tool} ${JSON.stringify(args)}`,
      await call(direct, tool),
      await call(behind, `${name}__${tool}`),
    );
  }
  const capabilities = direct.getServerCapabilities() ?? {};
  if (capabilities.resources) {
    const { resources } = await direct.listResources();
    compare('resources/list', resources, (await behind.listResources()).resources);
    compare('resources/templates/list', await templates(direct), await templates(behind));
    for (const { uri } of [...resources.slice(0, 10), { uri: 'demo://nowhere/at/all' }])
      compare(
        `resources/read ${uri}`,
        await outcome(() => direct.readResource({ uri })),
        await outcome(() => behind.readResource({ uri })),
      );
  }
  if (capabilities.prompts) {
    const { prompts } = await direct.listPrompts();
    compare('prompts/list', prompts, (await behind.listPrompts()).prompts);
    for (const prompt of prompts) {
      const args = Object.fromEntries((prompt.arguments ?? []).map((one) => [one.name, '1']));
      const get = (client: Client) => outcome(() => client.getPrompt({ name: prompt.name, arguments: args }));
      compare(`prompts/get ${prompt.name}`, await get(direct), await get(behind));
    }
  }
  compare(
    'instructions',
    direct.getInstructions()?.trim(),
    behind.getInstructions()?.replace(`## ${name}\n\n`, ''),
  );
  console.log(`  ${compared} answers compared`);
  return unexplained;
}

/** A server can have resources without templates: through Pegboard, its list of templates is then empty. */
async function templates(client: Client): Promise<unknown> {
  return await client.listResourceTemplates().then(
    ({ resourceTemplates }) => resourceTemplates,
    (cause: { code?: number }) => (cause.code === methodNotFound ? [] : { code: cause.code }),
  );
}

function* differences(
  path: string,
  a: unknown,
  b: unknown,
): Iterable<{ readonly path: string; readonly left: unknown; readonly right: unknown }> {
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      yield* differences(`${path}.${key}`, (a as Json)[key], (b as Json)[key]);
  } else if (settled(a) !== settled(b)) yield { path, left: a, right: b };
}

const settled = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(volatile, '…') : value;

const show = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 160);
