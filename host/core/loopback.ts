/** Names of this machine as they appear in URLs. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether the host of a URL is this machine, by one of these names. */
export const isLoopback = ({ hostname }: URL): boolean => loopbackNames.includes(hostname);

/** Whether nobody on the way can read what is sent to this URL: it uses https, or stays on this machine. */
export const isPrivateUrl = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
