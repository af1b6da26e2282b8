import { hash } from 'node:crypto';
import type { Content } from '../../../api/result.ts';

/** Which images a provider accepted, and which may have caused a refusal. */
export interface ImageFaults {
  /** Whether the image is left out of requests. */
  has(image: Image): boolean;
  /** A request with these was answered. */
  accept(images: readonly Image[]): void;
  /**
   * A request with these was refused because of an image. Those that were never accepted are left out from then on, or
   * all if every one was accepted before. False when there are none.
   */
  blame(images: readonly Image[]): boolean;
}
export type Image = Extract<Content, { readonly type: 'image' }>;

/** Maximum size of each set. No conversation has as many; a long-running host forgets the oldest. */
const maxRemembered = 1_000;

export function createImageFaults(): ImageFaults {
  const accepted = new Set<string>();
  const faulty = new Set<string>();
  return {
    has: (image) => faulty.size > 0 && faulty.has(keyOf(image)),
    accept(images) {
      for (const image of images) remember(accepted, keyOf(image));
    },
    blame(images) {
      const keys = images.map(keyOf);
      const suspects = keys.filter((key) => !accepted.has(key));
      for (const key of suspects.length > 0 ? suspects : keys) remember(faulty, key);
      return keys.length > 0;
    },
  };
}

const keys = new WeakMap<Image, string>();

function keyOf(image: Image): string {
  let key = keys.get(image);
  if (key === undefined) keys.set(image, (key = hash('sha256', image.data)));
  return key;
}

function remember(set: Set<string>, key: string): void {
  set.add(key);
  if (set.size <= maxRemembered) return;
  const [oldest] = set;
  set.delete(oldest!);
}
