import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { thisProcess } from 'pegboard/processes';
import { git, type Checkout } from './git.ts';

/** The version that the host of a home runs. */
interface InService {
  /** The process that recorded it. */
  readonly owner: string;
  readonly root: string;
  readonly commit: string;
}

/** Moved with each start of a host. */
const inServiceTag = 'in-service';
const fileOf = (home: string): string => join(home, 'data/in-service.json');

/** By root. Further hosts of this process run the same files as its first one, whatever lies there by then. */
const tagged = new Map<string, Promise<string>>();

/**
 * Tags the version that the host has started with, including uncommitted changes. Once per process: a plugin that is
 * reloaded later would find newer files, while the host still runs the old ones.
 */
export async function noteInService(checkout: Checkout, home: string): Promise<void> {
  const { root } = checkout;
  const noted = read(home);
  if (noted?.owner === thisProcess && noted.root === root) return;
  const tagging = tagged.get(root) ?? tagFiles(checkout);
  tagged.set(root, tagging);
  const commit = await tagging.catch((cause: unknown) => {
    tagged.delete(root);
    throw cause;
  });
  mkdirSync(join(home, 'data'), { recursive: true, mode: 0o700 });
  const now: InService = { owner: thisProcess, root, commit };
  writeFileSync(fileOf(home), JSON.stringify(now), { mode: 0o600 });
}

async function tagFiles(checkout: Checkout): Promise<string> {
  const commit = await commitOfFiles(checkout);
  await git(checkout, ['tag', '-f', inServiceTag, commit]);
  return commit;
}

/**
 * HEAD, or a commit of the current files on top of it. Uses a separate index: git refuses to stash while another git
 * runs in the same checkout, and in a copied one.
 */
async function commitOfFiles(checkout: Checkout): Promise<string> {
  const line = async (args: readonly string[], indexFile?: string): Promise<string> =>
    (await git(checkout, args, indexFile === undefined ? {} : { indexFile })).trim();
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-index-'));
  try {
    const indexFile = join(folder, 'index');
    copyFileSync(resolve(checkout.root, await line(['rev-parse', '--git-path', 'index'])), indexFile);
    await line(['add', '-u', '--', ':/'], indexFile);
    const tree = await line(['write-tree'], indexFile);
    if (tree === (await line(['rev-parse', 'HEAD^{tree}']))) return await line(['rev-parse', 'HEAD']);
    return await line(['commit-tree', tree, '-p', 'HEAD', '-m', 'In service, not committed']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The commit. Undefined when no host of this home has recorded it. */
export function commitInService(root: string, home: string): string | undefined {
  const noted = read(home);
  return noted?.root === root ? noted.commit : undefined;
}

function read(home: string): InService | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(home), 'utf8')) as InService;
  } catch {
    return undefined;
  }
}
