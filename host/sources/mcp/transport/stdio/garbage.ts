import { withCommas } from '../../../../core/text/with-commas.ts';

/** Counts output of a server that is not a message, or answers no request. */
export interface Garbage {
  addLine(line: string): void;
  addStray(): void;
  /** `hasRest`: a line has begun and not ended. Undefined when there was no such output. */
  describe(hasRest: boolean): string | undefined;
}

/** Maximum characters of a line that are shown. */
const maxShownLength = 200;

/** `onFirstLine` is called once, with the first line that is not a message. */
export function createGarbage(onFirstLine: (line: string) => void): Garbage {
  let lines = 0;
  let first = '';
  let strays = 0;
  return {
    addLine(line) {
      lines++;
      if (lines > 1) return;
      first = line.slice(0, maxShownLength);
      onFirstLine(first);
    },
    addStray: () => void strays++,
    describe(hasRest) {
      const parts: string[] = [];
      if (lines > 0)
        parts.push(
          `${lines === 1 ? 'a line that is' : `${withCommas(lines)} lines that are`} not a JSON message in UTF-8: ${JSON.stringify(first)}`,
        );
      if (strays > 0)
        parts.push(`${withCommas(strays)} answer${strays === 1 ? '' : 's'} with an unknown request id`);
      if (hasRest) parts.push('the beginning of a line that has not ended, as every message must');
      return parts.length === 0 ? undefined : `it sent ${parts.join('; and ')}`;
    },
  };
}
