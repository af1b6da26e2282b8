import { extname } from 'node:path';

const documents = new Set(
  `.md .markdown .txt .rst .adoc .csv .tsv .log .pdf .png .jpg .jpeg .gif .webp .avif .heic .mp3 .m4a .wav .ogg .flac
   .mp4 .mov .webm .docx .xlsx .pptx .odt .ods .odp .epub .rtf .ics .vcf .eml`.split(/\s+/),
);

/** Documents for people. No program loads them because of their location. */
export const isDocument = (path: string): boolean => documents.has(extname(path).toLowerCase());
