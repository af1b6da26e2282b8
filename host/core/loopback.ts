/** This machine's own names, as a URL has them. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Does what is sent to this URL stay unread by others on the way: by https, or on this machine? */
export const isPrivateUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && loopbackNames.includes(hostname));
