/** The part of undici's `Dispatcher` that is used here. */
export interface Dispatcher {
  dispatch(request: FetchDispatchRequest, handler: DispatchHandler): boolean;
}

interface FetchDispatchRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds; 0: none. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

export interface DispatchController {
  abort(reason: Error): void;
  /** No more of the body arrives until `resume`. */
  pause(): void;
  resume(): void;
}

interface DispatchHandler {
  onRequestStart(controller: DispatchController): void;
  onResponseStart(
    controller: DispatchController,
    status: number,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): void;
  onResponseData(controller: DispatchController, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: DispatchController, cause: Error): void;
}

const globals = globalThis as unknown as { readonly [name: symbol]: Dispatcher | undefined };
/** The symbols under which undici stores it, the latest first: of Node 26 and of Node 24. */
const names = [Symbol.for('undici.globalDispatcher.2'), Symbol.for('undici.globalDispatcher.1')];

/**
 * The dispatcher of Node's own `fetch`, with the same connections and proxies. Undefined before the first fetch in this
 * process.
 */
export function fetchDispatcher(): Dispatcher | undefined {
  for (const name of names) if (globals[name]) return globals[name];
  return undefined;
}
