import { contentRefusal, type Head, type Refusal } from 'pegboard/serving';
import { uploadPath } from './chat/serve-files.ts';

/**
 * What the page's paths require beyond the checks of every server here. SameSite ignores ports, so every other server on
 * this machine is "the same site": only the exact origin tells our page from theirs.
 */
export function pageRefusal(request: Head): Refusal | undefined {
  const { headers, method } = request;
  const host = headers.host?.toLowerCase();
  const isOwn = headers.origin === undefined || ownOrigins(host).includes(headers.origin.toLowerCase());
  if (!isOwn) return { status: 403, message: 'Pages of this origin may not call this server.' };
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (headers.origin === undefined)
    return { status: 403, message: 'A request that changes something needs the header Origin.' };
  return isUpload(request) ? undefined : contentRefusal(request);
}

/** Forms of other pages can't send this type either. */
const isUpload = ({ url = '', headers }: Head): boolean =>
  url.split('?', 1)[0] === uploadPath && headers['content-type'] === 'application/octet-stream';

/** https where a proxy in front of this server speaks it. */
const ownOrigins = (host = ''): readonly string[] => [`http://${host}`, `https://${host}`];

/** Whether the person's browser speaks https, which is then a proxy's. */
export const isSecure = ({ headers }: Head): boolean => headers.origin?.startsWith('https://') === true;

/** Nothing from elsewhere is loaded, and no text becomes markup or code. */
export const pageHeaders: { readonly [name: string]: string } = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=()',
};
