import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PegboardError } from 'pegboard';
import { packageRoot, processSurroundings } from 'pegboard/kit';

/** A file that browsers load. */
export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  readonly brotli: Buffer;
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
}

export interface PageFiles {
  /** "index.html". Undefined: there is no such file. Throws PEG_CONFIG when the page can't be made of its source. */
  find(name: string): Promise<PageFile | undefined>;
}

const types: { readonly [ending: string]: string } = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The package brings the page; a clone makes it from its source when it is first asked for, and after a change. */
export function openPageFiles(root = packageRoot): PageFiles {
  const made = join(root, 'page');
  const source = join(root, 'plugins/builtin-page/page');
  return existsSync(join(made, 'index.html')) ? filesIn(async () => made) : filesIn(makingFrom(source, root));
}

function filesIn(folderOf: () => Promise<string>): PageFiles {
  const read = new Map<string, PageFile>();
  return {
    async find(name) {
      const ending = /^[\w.-]+\.(js|css|html|svg)$/.exec(name)?.[1];
      if (ending === undefined) return undefined;
      const path = join(await folderOf(), name);
      const known = read.get(path);
      if (known) return known;
      if (!existsSync(path)) return undefined;
      const file = {
        type: types[ending]!,
        body: readFileSync(path),
        brotli: readFileSync(`${path}.br`),
        isImmutable: /-[\w-]{8}\.(js|css)$/.test(name),
      };
      // A clone's page is made in a new folder after each change.
      if (read.size > 200) read.clear();
      read.set(path, file);
      return file;
    },
  };
}

/** The folder of the page as its source is now, made once at a time. */
function makingFrom(source: string, root: string): () => Promise<string> {
  let making: Promise<string> | undefined;
  let last: { readonly version: number; readonly folder: string } | undefined;
  return async () => {
    const version = newestIn(source);
    if (last?.version === version) return last.folder;
    making ??= make(version, root).finally(() => (making = undefined));
    last = { version, folder: await making };
    return last.folder;
  };
}

/** Milliseconds: when the last of the files was changed. */
const newestIn = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(join(folder, name)).mtimeMs,
    ),
  );

async function make(version: number, root: string): Promise<string> {
  const folder = join(cacheIn(root), `page-${Math.round(version)}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  const program = join(root, 'plugins/builtin-page/assets/make-page.ts');
  const child = spawn(process.execPath, [program, draft, '--fast'], {
    cwd: root,
    env: processSurroundings().env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new PegboardError(
      'PEG_CONFIG',
      `The page can't be made from its source in plugins/builtin-page/page: ${said.trim().slice(0, 2_000)}`,
    );
  }
  try {
    renameSync(draft, folder);
  } catch (cause) {
    // Another process may have made it in the meantime.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw cause;
  }
  for (const name of readdirSync(dirname(folder)))
    if (/^page-\d+$/.test(name) && !folder.endsWith(name))
      rmSync(join(dirname(folder), name), { recursive: true, force: true });
  return folder;
}

/** Beside the packages, which git ignores; elsewhere for who may not write there. */
function cacheIn(root: string): string {
  const folder = join(root, 'node_modules/.cache/pegboard');
  try {
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch {
    return mkdtempSync(join(tmpdir(), 'pegboard-page-'));
  }
}
