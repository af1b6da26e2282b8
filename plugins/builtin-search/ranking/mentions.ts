import { tokensOf } from '../index/tokens.ts';

/** A file, page or address that a request mentions: the object of a tool, not its function. */
export interface Mention {
  /** What it is, in the words of tools. */
  readonly kinds: readonly string[];
  /** Its file extension or site: "pdf", "github". Some tools are specific to these. */
  readonly hints: readonly string[];
  /** The other words of its name. */
  readonly names: readonly string[];
}

/** Text between spaces, quotes, brackets, and scripts without spaces. */
const chunks =
  /[^\s"'`<>()[\]{}，。、；：！？「」『』“”‘’«»\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+/gu;
const page = /^(?:https?:\/\/|www\.)(?:www\.)?(?<host>[^/:?#]+)(?<path>.*)$/isu;
const mailAddress = /^[^@]+@[^@]+\.[^@]+$/u;
const fileName = new RegExp(
  `^(?<name>.*)\\.(?<ending>${[
    'txt md mdx rst log csv tsv json jsonl ya?ml toml ini cfg conf env xml html? css',
    'pdf docx? odt rtf epub xlsx? ods pptx? png jpe?g gif svg webp bmp tiff? heic mp3 mp4 wav flac ogg m4a mov avi mkv webm',
    'zip tar gz tgz rar 7z py ipynb js mjs cjs jsx ts tsx java kt c h cpp hpp cs go rs rb php swift sh ps1',
    'sql db sqlite3? lock bak tmp eml ics vcf',
  ]
    .join(' ')
    .replaceAll(' ', '|')})[.,:;!?]*$`,
  'iu',
);

/** Separates the mentions from the rest of a request. */
export function takeMentions(text: string): {
  readonly rest: string;
  readonly mentions: readonly Mention[];
} {
  const mentions: Mention[] = [];
  const rest = text.replaceAll(chunks, (chunk) => {
    const mention = mentionIn(chunk);
    if (!mention) return chunk;
    mentions.push(mention);
    return ' ';
  });
  return { rest, mentions };
}

function mentionIn(chunk: string): Mention | undefined {
  if (!/[.@]/.test(chunk)) return undefined;
  const { host, path } = page.exec(chunk)?.groups ?? {};
  if (host !== undefined) {
    const hints = host.split('.').slice(0, -1).flatMap(tokensOf);
    return { kinds: ['page', 'url'], hints, names: tokensOf(path ?? '') };
  }
  if (mailAddress.test(chunk)) return { kinds: [], hints: [], names: tokensOf(chunk) };
  const { name, ending } = fileName.exec(chunk)?.groups ?? {};
  return ending === undefined
    ? undefined
    : { kinds: ['file'], hints: [ending.toLowerCase()], names: tokensOf(name ?? '') };
}
