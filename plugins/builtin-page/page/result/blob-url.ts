import { useEffect, useState } from 'preact/hooks';

/** An address of base64 data in this page: undefined at first, null when the data can't be read. */
export function useBlobUrl(data: string, type: string): string | null | undefined {
  const [url, setUrl] = useState<string | null>();
  useEffect(() => {
    const made = urlOf(data, type);
    setUrl(made);
    return () => {
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [data, type]);
  return url;
}

function urlOf(data: string, type: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(data), (unit) => unit.charCodeAt(0));
    if (bytes.length === 0) return null;
    return URL.createObjectURL(new Blob([bytes], { type }));
  } catch {
    return null;
  }
}
