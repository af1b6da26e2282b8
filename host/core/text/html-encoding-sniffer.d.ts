declare module 'html-encoding-sniffer' {
  interface Options {
    readonly xml?: boolean;
    readonly transportLayerEncodingLabel?: string | undefined;
    readonly defaultEncoding?: string;
    readonly maxPrescanBytes?: number;
  }
  /** The name of an encoding in the Encoding Standard. */
  export default function sniff(bytes: Uint8Array, options?: Options): string;
}
