const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const wideBig = (text: string): Buffer => wide(text).swap16();

/** Bodies that hold "Grüße", some with a €, and how each says in which encoding. */
export const encodedTexts: readonly (readonly [how: string, type: string, body: Buffer, hasEuro: boolean])[] = [
  ['charset of a CSV', 'text/csv; charset=ISO-8859-1', latin('a,b\nGrüße,1\n'), false],
  ['quoted charset', 'text/csv; header=present; CharSet="iso-8859-15"', latin('a\nGr\xfc\xdfe \xa4\n'), true],
  ['windows-1252', 'text/plain; charset=windows-1252', latin('Gr\xfc\xdfe \x80'), true],
  ['XML declaration', 'application/xml', latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>Grüße</a>'), false],
  ['XML declaration, quoted', 'text/xml', latin("<?xml version='1.0'  encoding = 'latin1' ?><a>Grüße</a>"), false],
  ['XML declaration of Atom', 'application/atom+xml', latin('<?xml version="1.0" encoding="iso-8859-1"?><a>Grüße</a>'), false],
  ['UTF-16 with a mark', 'application/xml', Buffer.concat([latin('\xff\xfe'), wide('<a>Grüße</a>')]), false],
  ['UTF-16 without a mark', 'text/xml', wideBig('<?xml version="1.0" encoding="UTF-16"?><a>Grüße</a>'), false],
  ['UTF-16 CSV with a mark', 'text/csv', Buffer.concat([latin('\xfe\xff'), wideBig('a;b\nGrüße;1')]), false],
  ['charset UTF-16', 'text/csv; charset=utf-16le', wide('a;b\nGrüße;1'), false],
  ['meta charset', 'text/html', latin('<!doctype html><html><head><meta charset="iso-8859-1"></head><body>Grüße</body>'), false],
  ['meta http-equiv', 'text/html', latin('<html><head><meta content="text/html; charset=latin1" http-equiv="Content-Type"></head><body>Grüße'), false],
  ['mark before charset', 'text/csv; charset=iso-8859-1', Buffer.from('\uFEFFGrüße'), false],
  ['UTF-8 by default', 'text/csv', Buffer.from('Grüße €'), true],
  ['unknown charset', 'text/csv; charset=nonsense', Buffer.from('Grüße'), false],
];
