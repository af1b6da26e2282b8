import type { Lease, Listing, ToolSource } from '../api/source.ts';
import type { Logger } from '../api/log.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { messageOf } from '../core/errors.ts';

/** A source in the registry: its current listing, and the calls that still run on it. */
export class SourceEntry {
  readonly source: ToolSource;
  readonly #log: Logger;
  readonly #onRefreshed: (entry: SourceEntry) => void;
  readonly #idle = Promise.withResolvers<void>();
  #listing: Listing = { tools: [] };
  #leases = 0;
  #isRetired = false;
  #refreshing: Promise<void> | undefined;
  #isOutdated = false;
  #watch: Disposable | undefined;

  /** `onRefreshed` is called after each listing. */
  constructor(source: ToolSource, log: Logger, onRefreshed: (entry: SourceEntry) => void) {
    this.source = source;
    this.#log = log;
    this.#onRefreshed = onRefreshed;
  }

  get listing(): Listing {
    return this.#listing;
  }

  /** Undefined while the listing is up to date. */
  get refreshing(): Promise<void> | undefined {
    return this.#refreshing;
  }

  /** Watches the source. Resolves when it has been listed. */
  async open(): Promise<void> {
    this.#watch = this.source.watch?.(() => this.#refresh());
    this.#refresh();
    await this.#refreshing;
  }

  /** The source is not closed before every lease is disposed. */
  lease(tool: RegisteredTool): Lease {
    this.#leases++;
    return {
      tool,
      [Symbol.dispose]: () => {
        if (--this.#leases === 0 && this.#isRetired) this.#idle.resolve();
      },
    };
  }

  /** Stops watching, waits for the last lease, and closes the source. */
  async retire(): Promise<void> {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#watch?.[Symbol.dispose]();
    if (this.#leases > 0) await this.#idle.promise;
    await this.source[Symbol.asyncDispose]?.();
  }

  /** Level-triggered: any number of changes during a listing cause one more. */
  #refresh(): void {
    this.#isOutdated = true;
    if (!this.#isRetired) this.#refreshing ??= this.#listUntilCurrent();
  }

  async #listUntilCurrent(): Promise<void> {
    do {
      this.#isOutdated = false;
      this.#listing = await list(this.source, this.#listing, this.#log);
    } while (this.#isOutdated);
    this.#refreshing = undefined;
    this.#onRefreshed(this);
  }
}

/** The source's current listing, or after a failure the last one with a diagnostic. */
async function list(source: ToolSource, previous: Listing, log: Logger): Promise<Listing> {
  try {
    return await source.list();
  } catch (cause) {
    log.error(`listing ${source.id} failed`, { cause });
    const message = `${source.id} could not be listed: ${messageOf(cause)}${previous.tools.length ? '; its last good list stays in service' : ''}`;
    return {
      tools: previous.tools,
      diagnostics: [
        {
          severity: 'error',
          code: 'source-failed',
          message,
          ...(source.origin !== undefined && { path: source.origin }),
        },
      ],
    };
  }
}
