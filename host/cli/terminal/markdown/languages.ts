import type { StreamParser, StringStream } from '@codemirror/streamparser';

/** Reads code line by line, with a state that goes on from one to the next. */
export interface Language {
  readonly parser: StreamParser<unknown>;
  /** A line as the parser reads it. */
  readonly Line: typeof StringStream;
}

type LoadParser = () => Promise<StreamParser<unknown>>;

const cLike = () => import('@codemirror/legacy-modes/mode/clike');
const javascript = () => import('@codemirror/legacy-modes/mode/javascript');
const css = () => import('@codemirror/legacy-modes/mode/css');
const sql = () => import('@codemirror/legacy-modes/mode/sql');
const xml = () => import('@codemirror/legacy-modes/mode/xml');
const ml = () => import('@codemirror/legacy-modes/mode/mllike');

/** By the names that code blocks begin with, in small letters. */
const languages: readonly (readonly [names: string, load: LoadParser])[] = [
  ['sh bash zsh shell', async () => (await import('@codemirror/legacy-modes/mode/shell')).shell],
  ['powershell pwsh ps1', async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell],
  ['js javascript jsx mjs cjs', async () => (await javascript()).javascript],
  ['ts typescript tsx mts cts', async () => (await javascript()).typescript],
  ['json jsonc json5 jsonl', async () => (await javascript()).json],
  ['py python python3', async () => (await import('@codemirror/legacy-modes/mode/python')).python],
  ['rb ruby', async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby],
  ['go golang', async () => (await import('@codemirror/legacy-modes/mode/go')).go],
  ['rs rust', async () => (await import('@codemirror/legacy-modes/mode/rust')).rust],
  ['swift', async () => (await import('@codemirror/legacy-modes/mode/swift')).swift],
  ['pl perl', async () => (await import('@codemirror/legacy-modes/mode/perl')).perl],
  ['lua', async () => (await import('@codemirror/legacy-modes/mode/lua')).lua],
  ['r', async () => (await import('@codemirror/legacy-modes/mode/r')).r],
  ['jl julia', async () => (await import('@codemirror/legacy-modes/mode/julia')).julia],
  ['hs haskell', async () => (await import('@codemirror/legacy-modes/mode/haskell')).haskell],
  ['clj clojure', async () => (await import('@codemirror/legacy-modes/mode/clojure')).clojure],
  ['erl erlang', async () => (await import('@codemirror/legacy-modes/mode/erlang')).erlang],
  ['groovy gradle', async () => (await import('@codemirror/legacy-modes/mode/groovy')).groovy],
  ['c h', async () => (await cLike()).c],
  ['cpp c++ cc cxx hpp', async () => (await cLike()).cpp],
  ['java', async () => (await cLike()).java],
  ['cs csharp c#', async () => (await cLike()).csharp],
  ['kt kotlin kts', async () => (await cLike()).kotlin],
  ['scala', async () => (await cLike()).scala],
  ['dart', async () => (await cLike()).dart],
  ['objc objective-c', async () => (await cLike()).objectiveC],
  ['ml ocaml', async () => (await ml()).oCaml],
  ['fs fsharp f#', async () => (await ml()).fSharp],
  ['sql', async () => (await sql()).standardSQL],
  ['mysql', async () => (await sql()).mySQL],
  ['sqlite', async () => (await sql()).sqlite],
  ['postgres postgresql pgsql', async () => (await sql()).pgSQL],
  ['html htm', async () => (await xml()).html],
  ['xml svg', async () => (await xml()).xml],
  ['css', async () => (await css()).css],
  ['scss', async () => (await css()).sCSS],
  ['less', async () => (await css()).less],
  ['yaml yml', async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml],
  ['toml', async () => (await import('@codemirror/legacy-modes/mode/toml')).toml],
  [
    'ini properties env dotenv conf',
    async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  ],
  ['dockerfile docker', async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile],
  ['nginx', async () => (await import('@codemirror/legacy-modes/mode/nginx')).nginx],
  ['cmake', async () => (await import('@codemirror/legacy-modes/mode/cmake')).cmake],
  ['proto protobuf', async () => (await import('@codemirror/legacy-modes/mode/protobuf')).protobuf],
  ['diff patch', async () => (await import('@codemirror/legacy-modes/mode/diff')).diff],
  ['tex latex', async () => (await import('@codemirror/legacy-modes/mode/stex')).stex],
];

const loaders: ReadonlyMap<string, LoadParser> = new Map(
  languages.flatMap(([names, load]) => names.split(' ').map((name) => [name, load] as const)),
);
/** By the same loaders; undefined for one that can't be loaded. */
const loaded = new Map<LoadParser, Language | undefined>();
const loading = new Map<LoadParser, Promise<void>>();

/** Undefined for an unknown language, and for one that is not loaded yet: this begins to load it. */
export function languageOf(name: string): Language | undefined {
  const load = loaders.get(name.toLowerCase());
  if (load && !loaded.has(load) && !loading.has(load)) loading.set(load, loadLanguage(load));
  return load && loaded.get(load);
}

export const isLoadingLanguage = (): boolean => loading.size > 0;

/** Resolves when every language that was asked for so far can be used. */
export async function languagesLoaded(): Promise<void> {
  await Promise.all(loading.values());
}

async function loadLanguage(load: LoadParser): Promise<void> {
  try {
    const [{ StringStream: Line }, parser] = await Promise.all([import('@codemirror/streamparser'), load()]);
    loaded.set(load, { Line, parser });
  } catch {
    // Code without colours is better than none.
    loaded.set(load, undefined);
  } finally {
    loading.delete(load);
  }
}
