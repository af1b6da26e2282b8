/** Bytes in which a page names its encoding. Browsers look at 1,024, or more. */
const maxPrescanBytes = 8_192;

/**
 * The text of an HTTP body: in the encoding of its byte order mark, else of its Content-Type, else of the document itself
 * (`<?xml encoding=…?>`, `<meta charset=…>`), else UTF-8. Never rejects: what isn't text becomes text of no use.
 */
export async function decodeBody(bytes: Uint8Array, contentType: string): Promise<string> {
  const { default: sniff } = await import('html-encoding-sniffer');
  const isXml = /^[^;]*[/+]xml\s*(?:;|$)/i.test(contentType);
  const encoding = sniff(bytes, {
    transportLayerEncodingLabel: /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1],
    defaultEncoding: 'UTF-8',
    ...(isXml
      ? { xml: true }
      : { maxPrescanBytes: /^\s*text\/html\b|^\s*$/i.test(contentType) ? maxPrescanBytes : 0 }),
  });
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** As `decodeBody`; undefined for what its Content-Type doesn't call text and its bytes don't look like. */
export async function textInBody(bytes: Uint8Array, contentType: string): Promise<string | undefined> {
  const isText =
    /^\s*text\/|^[^;]*[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded)\s*(?:;|$)/i.test(contentType) ||
    /^(?:\xff\xfe|\xfe\xff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('latin1')) ||
    !bytes.includes(0);
  return isText ? await decodeBody(bytes, contentType) : undefined;
}
