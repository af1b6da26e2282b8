import { gzipSync } from 'node:zlib';

/** An entry of a tar archive, as whoever writes it pleases. */
export interface TarEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** "0" is a file, "2" a symbolic link, "5" a folder. */
  readonly kind?: string;
  /** Where a link leads. */
  readonly target?: string;
  readonly mode?: number;
}

export function tarOf(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap(({ name, content = '', kind = '0', target = '', mode = 0o644 }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write(kind, 156);
    header.write(target, 157);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** As `npm pack` makes it: all files by name, in the folder `package`. */
export const tgzOf = (files: Readonly<Record<string, string>>): Buffer =>
  gzipSync(tarOf(Object.entries(files).map(([name, content]) => ({ name: `package/${name}`, content }))));
