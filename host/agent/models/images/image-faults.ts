import { hash } from 'node:crypto';
import type { Content } from '../../../api/result.ts';

/** Which images a provider took, and which it may have refused a request for. */
export interface ImageFaults {
  /** Is it left out? */
  has(image: Image): boolean;
  /** A request with these was answered. */
  accept(images: readonly Image[]): void;
  /**
   * A request with these was refused for an image: those of them that were never taken may be at fault, or all of them
   * where all were. They are left out from then on. False: there are none.
   */
  blame(images: readonly Image[]): boolean;
}
export type Image = Extract<Content, { readonly type: 'image' }>;

/** Of each kind. A conversation has fewer; a host that runs for long forgets the oldest. */
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
