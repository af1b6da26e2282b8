export interface PdfOptions {
  /** Encrypts it with an unknown password. */
  readonly encrypted?: boolean;
}

/** A PDF with a page for each of `pages`, with these lines. */
export function pdfOf(pages: readonly string[], { encrypted = false }: PdfOptions = {}): string {
  const contents = pages.map((page) => {
    const lines = page.split('\n').map((line) => `(${line.replace(/[\\()]/g, String.raw`\$&`)}) Tj T*`);
    return page === '' ? '' : `BT /F1 12 Tf 14 TL 72 700 Td ${lines.join(' ')} ET`;
  });
  return pdfWith(contents, encrypted);
}

/** The same from drawing instructions. */
function pdfWith(contents: readonly string[], encrypted = false): string {
  const kids = contents.map((_, at) => `${3 + 2 * at} 0 R`).join(' ');
  const font = 3 + 2 * contents.length;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    ...contents.flatMap((stream, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + 2 * at} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ]),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const key = '00'.repeat(32);
  if (encrypted) objects.push(`<< /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`);
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = body.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const lock = encrypted ? ` /Encrypt ${objects.length} 0 R /ID [<00> <00>]` : '';
  return `${body}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer << /Size ${size} /Root 1 0 R${lock} >>\nstartxref\n${start}\n%%EOF`;
}
