import type { Diagnostic } from '../../../api/diagnostic.ts';
import { isSteeringVariable } from '../../../core/processes/environment.ts';
import { oddDefaultIn, referenceHint, referencePattern } from '../../../core/documents/interpolate.ts';
import { pointerTo } from '../../../core/documents/pointer.ts';
import { checkParameters } from './check-parameters.ts';
import { checkSchema, type SchemaMistake } from './check-schema.ts';
import { callersFolder } from '../run/callers-folder.ts';
import { placeInside } from '../files/confine.ts';
import { bridgeToolNames, isBridgeTool } from '../../../core/bridge-tool-names.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import type { WrittenManifest } from '../../../formats/tool.ts';

/** Something wrong at a JSON pointer of a manifest. */
export interface Mistake extends SchemaMistake {
  /** An error when absent. */
  readonly severity?: Diagnostic['severity'];
  readonly part?: 'key';
}

/** Exactly one of command, http, mcp with server, handler, script, and type must define what the tool does. */
export function checkAction(written: WrittenManifest): readonly Mistake[] {
  const ways = (['command', 'http', 'mcp', 'handler', 'script', 'type'] as const).filter(
    (key) => written[key] !== undefined,
  );
  const [first, second] = ways;
  if (second !== undefined) {
    return [
      {
        pointer: pointerTo(second),
        part: 'key',
        code: 'several-actions',
        message: `"${first}" and "${second}" both define what the tool does; only one of command, http, mcp with server, handler, script, and type may`,
        hint: `delete one of them`,
      },
    ];
  }
  if (first === 'mcp' && written.server === undefined) {
    return [
      {
        pointer: '/mcp',
        part: 'key',
        code: 'missing-key',
        message: '"mcp" needs "server": the name of a server in mcpServers',
      },
    ];
  }
  const stray = details.find(({ key, of }) => written[key] !== undefined && !of.some((way) => way === first));
  if (stray) return [strayKey(stray)];
  if (first === 'type' && !isBridgeTool(written.tool ?? written.id)) return [unknownBridgeTool(written)];
  if (first !== undefined) return [];
  return [
    {
      pointer: '',
      part: 'key',
      code: 'no-action',
      message:
        'nothing defines what the tool does: exactly one of command, http, mcp with server, handler, script, and type is required',
      hint: 'add command: "…"',
    },
  ];
}

/** Keys that say more about one way of doing something, with the keys of those ways. */
const details = [
  { key: 'server', of: ['mcp'], what: 'tools of MCP servers', hint: 'add mcp: true' },
  {
    key: 'tool',
    of: ['mcp', 'type'],
    what: 'tools of MCP servers and bridge tools',
    hint: 'add mcp: true or type: bridge',
  },
  { key: 'arguments', of: ['type'], what: 'bridge tools', hint: 'add type: bridge' },
] as const;

const strayKey = ({ key, what, hint }: (typeof details)[number]): Mistake => ({
  pointer: pointerTo(key),
  part: 'key',
  code: 'missing-key',
  message: `"${key}" is for ${what}`,
  hint,
});

function unknownBridgeTool({ tool, id }: WrittenManifest): Mistake {
  const name = tool ?? id;
  const [near] = nearest(name, bridgeToolNames);
  return {
    pointer: tool === undefined ? '/type' : '/tool',
    code: 'unknown-bridge-tool',
    message:
      tool === undefined
        ? `"type: bridge" needs "tool", which is ${bridgeToolNames.join(', ')}`
        : `there is no bridge tool "${name}": "tool" must be ${bridgeToolNames.join(', ')}`,
    ...(near !== undefined && { hint: `${name} → ${near}?` }),
  };
}

/** Checks everything that the schema can't express. The shape must have been validated. */
export async function checkManifest(written: WrittenManifest, root: string): Promise<readonly Mistake[]> {
  const mistakes: Mistake[] = [
    ...checkEnvironment(written),
    ...checkVariables(written),
    ...checkUnused(written),
  ];
  const { parameters, inputSchema, cwd } = written;
  if (parameters && inputSchema) {
    mistakes.push({
      pointer: '/inputSchema',
      part: 'key',
      code: 'several-schemas',
      message: '"parameters" and "inputSchema" both describe the arguments; only one of them may',
    });
  }
  if (parameters) mistakes.push(...under('/parameters', await checkParameters(parameters)));
  if (inputSchema) mistakes.push(...under('/inputSchema', await checkSchema(inputSchema)));
  if (cwd !== undefined && cwd !== callersFolder) {
    const place = placeInside(root, cwd);
    if ('problem' in place)
      mistakes.push({
        pointer: '/cwd',
        code: 'outside-space',
        message: `the folder "${cwd}" ${place.problem}`,
      });
  }
  return mistakes;
}

function checkEnvironment({ environment = {} }: WrittenManifest): readonly Mistake[] {
  return Object.keys(environment).flatMap((name): Mistake[] => {
    const at = { pointer: `/environment${pointerTo(name)}`, part: 'key' } as const;
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      return [
        {
          ...at,
          code: 'bad-variable',
          message: `"${name}" is not a valid name for an environment variable: use letters, digits and _`,
        },
      ];
    }
    if (!isSteeringVariable(name)) return [];
    return [
      {
        ...at,
        code: 'steering-variable',
        message: `${name} decides which code a loader, shell or interpreter runs, so a manifest can't set it`,
        hint: 'set it inside a script that the command starts',
      },
    ];
  });
}

const noReference = new RegExp(String.raw`(?!${referencePattern})\$\{.{0,30}`, 's');

/** Texts that look like placeholders, but are not replaced. */
function checkVariables({ environment = {} }: WrittenManifest): readonly Mistake[] {
  return Object.entries(environment).flatMap(([name, value]): Mistake[] => {
    const at = { severity: 'warning', pointer: `/environment${pointerTo(name)}` } as const;
    const [template] = /\{\{.*?\}\}/s.exec(value) ?? [];
    const [reference] = noReference.exec(value) ?? [];
    const odd = oddDefaultIn(value);
    return [
      ...(template === undefined
        ? []
        : [
            {
              ...at,
              code: 'template-in-environment',
              message: `${template} is not replaced by a value here: the command gets it as written`,
              hint: 'put it into the command: NAME={{x}} program …',
            },
          ]),
      ...(odd === undefined
        ? []
        : [
            {
              ...at,
              severity: 'error' as const,
              code: 'no-reference',
              message: `${odd} is not a reference to a variable`,
              hint: referenceHint,
            },
          ]),
      ...(reference === undefined || odd !== undefined
        ? []
        : [
            {
              ...at,
              code: 'no-reference',
              message: `${JSON.stringify(reference)} is not a variable reference: the command gets it as written`,
              hint: referenceHint,
            },
          ]),
    ];
  });
}

/** Keys that only apply to commands. */
function checkUnused(written: WrittenManifest): readonly Mistake[] {
  if (written.command !== undefined) return [];
  return (['environment', 'cwd', 'output', 'sandbox'] as const)
    .filter((key) => written[key] !== undefined)
    .map((key) => ({
      severity: 'warning',
      pointer: pointerTo(key),
      part: 'key',
      code: 'unused-key',
      message: `"${key}" only applies to commands and has no effect here`,
    }));
}

const under = (pointer: string, mistakes: readonly SchemaMistake[]): readonly Mistake[] =>
  mistakes.map((mistake) => ({ ...mistake, pointer: pointer + mistake.pointer }));
