/** What a bundle can leave behind, in memory and start time, without the host doing anything else than from a clone. */
import http from 'node:http';
import type { Plugin } from 'rolldown';

/** An import syncs every export, and those of the web make Node load its `fetch`: 14 MB and 25 ms. */
const loadsFetch = new Set(['CloseEvent', 'MessageEvent', 'WebSocket']);
/** The SDK's own copies of ajv, half a megabyte, which stand behind a default that the host never takes. */
const withoutValidator = `
export { default as process } from 'node:process';
export const CORS_IS_POSSIBLE = false;
export class DefaultJsonSchemaValidator {
  constructor() { throw new Error('The bundle has no JSON Schema validator of the SDK: pass jsonSchemaValidator.'); }
}`;

const replaced = new Map([
  ['node:http', builtin('node:http', http)],
  ['@modelcontextprotocol/client/_shims', withoutValidator],
  ['@modelcontextprotocol/server/_shims', withoutValidator],
]);

export const leanBundle: Plugin = {
  name: 'lean-bundle',
  resolveId: (specifier) => (replaced.has(specifier) ? `\0lean:${specifier}` : undefined),
  load: (id) => (id.startsWith('\0lean:') ? replaced.get(id.slice(6)) : undefined),
  /** One character beyond Latin-1 makes V8 keep the whole file in two bytes a character. */
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/[^\0-\xff]/g, escapeUnit);
    }
  },
};

function builtin(name: string, exports: object): string {
  const names = Object.keys(exports).filter((key) => !loadsFetch.has(key));
  return `const module = process.getBuiltinModule('${name}');
export default module;
export const { ${names.join(', ')} } = module;`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
