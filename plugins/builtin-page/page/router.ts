import { signal } from '@preact/signals';

/** Of the address, decoded: ["tools", "filesystem.read"]. */
export const path = signal(read());

function read(): readonly string[] {
  const parts = location.pathname.split('/').slice(1);
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return parts;
  }
}

export const toolPath = (id: string): string => `/tools/${encodeURIComponent(id)}`;
export const serverPath = (name: string): string => `/servers/${encodeURIComponent(name)}`;
export const agentPath = (id: string): string => `/agents/${encodeURIComponent(id)}`;
/** `file`: of a manifest, in the home. */
export const manifestPath = (file: string): string => `/manifests/${encodePath(file)}`;
/** Each part of it, so that it stays one path. */
export const encodePath = (file: string): string => file.split('/').map(encodeURIComponent).join('/');
export const callPath = (id: string): string => `/trace/${encodeURIComponent(id)}`;

export function go(to: string): void {
  if (to === location.pathname) return;
  history.pushState(null, '', to);
  path.value = read();
}

/** Follows links within the page without loading it again. */
export function startRouter(): void {
  addEventListener('popstate', () => (path.value = read()));
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a[href^="/"]');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.getAttribute('href')!);
  });
}
