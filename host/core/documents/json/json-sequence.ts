import { withoutByteOrderMark } from '../../text/byte-order-mark.ts';
import { isLong, parseInSlices } from './parse-in-slices.ts';
import { parseJson } from '../written-numbers.ts';

/** JSON texts that arrive one after the other from the same sender. */
export interface JsonSequence {
  /**
   * Calls `take` in the order of the texts, with a function that returns the value or throws its SyntaxError: at once,
   * unless this text or one before it is long and is read in slices.
   */
  add(text: string, take: (read: () => unknown) => void): void;
  /** Until all of them have been taken. */
  readonly reading: Promise<void> | undefined;
}

/** `onBusy` is called with true when others have to wait from now on, and with false when no longer. */
export function createJsonSequence(onBusy: (busy: boolean) => void = () => {}): JsonSequence {
  let reading: Promise<void> | undefined;
  const takeLater = async (
    text: string,
    take: (read: () => unknown) => void,
    before: Promise<void> | undefined,
  ): Promise<void> => {
    await before?.catch(() => {});
    const read = await parseInSlices(text).then(
      (value) => () => value,
      (cause: unknown) => () => {
        throw cause;
      },
    );
    take(read);
  };
  return {
    add(given, take) {
      const text = withoutByteOrderMark(given);
      if (!reading && !isLong(text)) return take(() => parseJson(text));
      if (!reading) onBusy(true);
      const own = takeLater(text, take, reading).finally(() => {
        if (reading !== own) return;
        reading = undefined;
        onBusy(false);
      });
      reading = own;
    },
    get reading() {
      return reading;
    },
  };
}
