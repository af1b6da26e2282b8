/** Headers that the connection sets, or that could misdirect a proxy. */
const reserved =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;

export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);

/** Whether only the connection may set it. */
export const isReservedHeader = (name: string): boolean => reserved.test(name);

/** Whether a header can hold it: a single line of Latin-1. */
export const isHeaderValue = (value: string): boolean => !/[^\t\x20-\x7e\x80-\xff]/.test(value);
