import { extname } from 'node:path';

const documents = new Set(
  `.md .markdown .txt .rst .adoc .csv .tsv .log .pdf .png .jpg .jpeg .gif .webp .avif .heic .mp3 .m4a .wav .ogg .flac
   .mp4 .mov .webm .docx .xlsx .pptx .odt .ods .odp .epub .rtf .ics .vcf .eml`.split(/\s+/),
);

/** For people to read: nothing loads it as a part of itself because of where it lies. */
export const isDocument = (path: string): boolean => documents.has(extname(path).toLowerCase());
