/**
 * `node make-page.ts FOLDER [--fast]`: makes what browsers load from the source in plugins/builtin-page/page, in a new folder. A
 * process of its own, because the bundler takes 180 MB. `--fast` compresses less.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { rolldown } from 'rolldown';

const source = join(import.meta.dirname, '../page');
const [folder, ...options] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node make-page.ts FOLDER [--fast]');
const quality = options.includes('--fast') ? 9 : 11;

await using bundle = await rolldown({
  input: join(source, 'main.tsx'),
  platform: 'browser',
  logLevel: 'silent',
  transform: {
    jsx: { runtime: 'automatic', importSource: 'preact' },
    define: { 'process.env.NODE_ENV': '"production"' },
  },
});
const { output } = await bundle.generate({
  format: 'esm',
  minify: true,
  entryFileNames: 'main-[hash].js',
  chunkFileNames: '[name]-[hash].js',
});
const chunks = output.filter((part) => part.type === 'chunk');
const main = chunks.find(({ isEntry }) => isEntry)!.fileName;
const style = Buffer.from(
  readFileSync(join(source, 'style.css'), 'utf8').replaceAll(/^@import '(.+)';$/gm, (_, file: string) =>
    readFileSync(join(source, file), 'utf8'),
  ),
);
const styleName = `style-${createHash('sha256').update(style).digest('hex').slice(0, 8)}.css`;
const html = readFileSync(join(source, 'index.html'), 'utf8')
  .replace('/style.css', `/${styleName}`)
  .replace('/main.tsx', `/${main}`);
const files: readonly (readonly [string, Buffer])[] = [
  ...chunks.map(({ fileName, code }) => [fileName, Buffer.from(code)] as const),
  [styleName, style],
  ['index.html', Buffer.from(html)],
  ['icon.svg', readFileSync(join(source, 'icon.svg'))],
];
mkdirSync(folder, { recursive: true });
for (const [name, body] of files) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  writeFileSync(join(folder, name), body);
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body, { params }));
}
