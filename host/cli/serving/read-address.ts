import { createInterface } from 'node:readline';
import { PegboardError } from '../../core/errors.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { showForm } from '../terminal/show-form.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ReadAddress } from '../../sources/mcp/mcp-source.ts';

export interface AddressReader extends Disposable {
  readonly read: ReadAddress;
}

/** Reads from a form at a terminal, else from the lines of stdin. */
export function openAddressReader(terminal: Terminal): AddressReader {
  return terminal.interactive ? fromForm(terminal) : fromLines(terminal);
}

function fromForm(terminal: Terminal): AddressReader {
  return {
    async read(problem, signal) {
      showProblem(terminal, problem);
      const address = await showForm({ terminal, signal }, ({ text }, streams) =>
        text({
          ...streams,
          message: "If the browser ends at a page that it can't open, paste that page's address",
        }),
      );
      if (address === undefined && !signal.aborted)
        throw new PegboardError('PEG_CANCELLED', 'You are not logged in.');
      return address;
    },
    [Symbol.dispose]() {},
  };
}

function fromLines(terminal: Terminal): AddressReader {
  const lines = createInterface({ input: terminal.surroundings.stdin });
  const each = lines[Symbol.asyncIterator]();
  return {
    async read(problem) {
      showProblem(terminal, problem);
      const next = await each.next();
      return next.done ? undefined : next.value;
    },
    [Symbol.dispose]() {
      lines.close();
    },
  };
}

function showProblem({ err }: Terminal, problem: string | undefined): void {
  if (problem !== undefined) err.line(err.style.warning(shownLine(problem)));
}
