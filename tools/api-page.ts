/** `node tools/api-page.ts`: writes docs/api.md from the docstrings of what can be imported from the package. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { writeDeclarations } from './declarations.ts';
import { publicEntries } from './public-entries.ts';

const root = join(import.meta.dirname, '..');
/** For `pegboard test-plugin` alone. */
const internal = new Set(['pegboard/offer']);

interface Declaration {
  readonly name: string;
  /** Without the comment's marks. */
  readonly description: string;
  /** As TypeScript writes it in a declaration file. */
  readonly code: string;
  readonly isType: boolean;
}

interface Section {
  /** "pegboard/files" */
  readonly entry: string;
  readonly description: string;
  readonly values: readonly Declaration[];
  readonly types: readonly Declaration[];
}

/** The whole page. */
export function apiPage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-api-'));
  try {
    const entries = Object.entries(publicEntries(root))
      .filter(([entry]) => !internal.has(entry))
      .toSorted(([a], [b]) => a.localeCompare(b, 'en'));
    writeDeclarations(
      root,
      entries.map(([, path]) => path),
      folder,
    );
    return render(entries.map(([entry, path]) => sectionOf(entry, relative(root, path), folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sectionOf(entry: string, path: string, folder: string): Section {
  const file = join(folder, path.replace(/\.ts$/, '.d.ts'));
  const text = readFileSync(file, 'utf8');
  const declarations = exportsOf(file, text);
  return {
    entry,
    description: plain(/^\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? ''),
    values: declarations.filter(({ isType }) => !isType),
    types: declarations.filter(({ isType }) => isType),
  };
}

/** What an entry passes on, in its order. */
function exportsOf(file: string, text: string): Declaration[] {
  const passedOn = text.matchAll(/^export (?:type )?(?:\*|\{([^}]*)\}) from '([^']+)\.js';$/gm);
  return [...passedOn].flatMap(([, names, from]) => {
    const declarations = declarationsIn(join(dirname(file), `${from}.d.ts`));
    // `export type *`: what is a value there is one for its own part of the host only.
    if (names === undefined) return declarations.filter(({ isType }) => isType);
    return names
      .split(',')
      .map((name) => name.replace('type ', '').trim())
      .filter((name) => name !== '')
      .map((name) => declarations.find((one) => one.name === name) ?? missing(name, file));
  });
}

function missing(name: string, file: string): never {
  throw new Error(`${file} passes on ${name}, which its file does not declare`);
}

/** The exported declarations of a file, each with the comment before it. */
function declarationsIn(file: string): Declaration[] {
  const found: Declaration[] = [];
  let comment: string[] = [];
  let statement: string[] = [];
  const end = (): void => {
    const [first = ''] = statement;
    const match = /^export (declare )?(?:abstract )?(?:interface|type|class|function|const) (\w+)/.exec(
      first,
    );
    if (match) {
      const isType = match[1] === undefined;
      const code = statement.join('\n').replace(/^export (?:declare )?/, '');
      found.push({ name: match[2]!, description: plain(comment.join('\n')), code, isType });
    }
    if (statement.length > 0) comment = [];
    statement = [];
  };
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    if (/^(?:\/\*\*| \*)/.test(line) && !line.startsWith('    ')) {
      if (line.startsWith('/**')) {
        end();
        comment = [];
      }
      comment.push(line);
      continue;
    }
    if (/^\S/.test(line) && !/^[})\]]/.test(line)) end();
    statement.push(line);
  }
  end();
  return found;
}

function plain(comment: string): string {
  return comment
    .replace(/^\/\*\*\s?|\s*\*\/$/g, '')
    .replace(/^ \* ?/gm, '')
    .trim()
    .replaceAll('\n', ' ');
}

const header = `# API

Everything that can be imported from \`pegboard\`, generated from the docstrings by \`npm run docs:api\`. How the parts work together is in [plugins.md](plugins.md).
`;

function render(sections: readonly Section[]): string {
  const contents = sections.map(
    ({ entry, values, types }) =>
      `| [\`${entry}\`](#${entry.replace('/', '')}) | ${[...values, ...types].map(({ name }) => `\`${name}\``).join(', ')} |`,
  );
  const table = ['| import from | what |', '|---|---|', ...contents].join('\n');
  return [header, `${table}\n`, ...sections.map(renderSection)].join('\n');
}

function renderSection({ entry, description, values, types }: Section): string {
  const intro = description.replace(/^"[^"]+": /, '').replace(/^./, (letter) => letter.toUpperCase());
  return [`## ${entry}\n`, `${intro}\n`, ...[...values, ...types].map(renderDeclaration)].join('\n');
}

function renderDeclaration({ name, description, code }: Declaration): string {
  const text = description === '' ? '' : `\n${description}\n`;
  return `### ${name}\n${text}\n\`\`\`ts\n${code}\n\`\`\`\n`;
}

if (import.meta.main) writeFileSync(join(root, 'docs/api.md'), apiPage());
