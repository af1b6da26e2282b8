import type { Node } from 'jsonc-parser';
import { withoutByteOrderMark } from '../../../core/text/byte-order-mark.ts';
import type { ClientFile } from './client-files.ts';

/** The settings of an editor, which may have comments and trailing commas. Throws a SyntaxError with its line. */
export async function parseSettings(text: string, format: ClientFile['format']): Promise<unknown> {
  const plain = withoutByteOrderMark(text);
  return format === 'toml' ? await parseToml(plain) : await parseJsonc(plain);
}

async function parseJsonc(text: string): Promise<unknown> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: import('jsonc-parser').ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (!error) return tree && valueOf(tree);
  const before = text.slice(0, error.offset).split('\n');
  throw new SyntaxError(
    `invalid JSON at line ${before.length}, column ${before.at(-1)!.length + 1} (${printParseErrorCode(error.error)})`,
  );
}

/** The library's own conversion of nodes to values loses a member called `__proto__`. */
function valueOf({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(valueOf);
  if (type !== 'object') return value;
  return Object.fromEntries(
    children.flatMap(({ children: [key, member] = [] }) =>
      key && member ? [[String(key.value), valueOf(member)]] : [],
    ),
  );
}

async function parseToml(text: string): Promise<unknown> {
  const { getStaticTOMLValue, parseTOML, traverseNodes } = await import('toml-eslint-parser');
  try {
    const tree = parseTOML(text);
    traverseNodes(tree, {
      enterNode(node) {
        if (node.type !== 'TOMLBare' && node.type !== 'TOMLQuoted') return;
        // The library would lose its children.
        if ((node.type === 'TOMLBare' ? node.name : node.value) === '__proto__')
          throw Object.assign(new Error('no key can be called __proto__'), {
            lineNumber: node.loc.start.line,
          });
      },
      leaveNode() {},
    });
    return getStaticTOMLValue(tree);
  } catch (cause) {
    const { lineNumber, message } = cause as { readonly lineNumber?: number; readonly message: string };
    throw new SyntaxError(
      `invalid TOML${lineNumber === undefined ? '' : ` at line ${lineNumber}`} (${message})`,
    );
  }
}
