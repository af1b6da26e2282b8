/** This machine's own names, as a URL has them. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Is it an address of this machine, by one of these names? */
export const isLoopback = ({ hostname }: URL): boolean => loopbackNames.includes(hostname);

/** Does what is sent to this URL stay unread by others on the way: by https, or on this machine? */
export const isPrivateUrl = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
