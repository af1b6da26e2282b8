import { computed, signal } from '@preact/signals';
import type { ManifestRow } from '../../../manifests/wire.ts';
import { reading } from '../../live/reading.ts';

export const allManifests = reading<{ readonly manifests: readonly ManifestRow[] }>('manifests');

export const query = signal('');

/** Those that have every word of the query in their path or name. */
export const foundManifests = computed(() => {
  const words = query.value.toLowerCase().split(/\s+/);
  return (allManifests.value.value?.manifests ?? []).filter(({ path, name }) => {
    const text = `${path} ${name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
});
