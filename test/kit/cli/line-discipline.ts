import { PassThrough, type Writable } from 'node:stream';

/**
 * The input side of a terminal, as a kernel's driver does it: until the program reads keys itself (raw mode), what is typed
 * is echoed, Ctrl-C is a signal, and a line arrives when it ends. Ctrl-Z does nothing: nobody can suspend a command that
 * has no process.
 */
export class LineDiscipline extends PassThrough {
  readonly isTTY = true;
  isRaw = false;
  readonly #echo: Writable;
  readonly #interrupt: () => void;
  /** Typed, and not yet ended by Enter. */
  #line = '';
  #isGone = false;

  constructor({ echo, interrupt }: { readonly echo: Writable; readonly interrupt: () => void }) {
    super();
    this.#echo = echo;
    this.#interrupt = interrupt;
  }

  setRawMode(on: boolean): this {
    if (this.#isGone)
      throw Object.assign(new Error('setRawMode EIO'), { code: 'EIO', syscall: 'setRawMode' });
    this.isRaw = on;
    if (on) this.#deliver();
    return this;
  }

  type(text: string): void {
    if (this.isRaw) return void this.write(text);
    for (const part of text.match(/[^\r\n\x03\x04\x15\x1a\x7f]+|[^]/g) ?? []) this.#edit(part);
  }

  /** The terminal is gone. */
  hangUp(): void {
    this.#isGone = true;
    this.#deliver();
    this.end();
  }

  #edit(part: string): void {
    switch (part) {
      case '\x03':
        this.#line = '';
        this.#show('^C');
        return this.#interrupt();
      case '\x04':
        return this.#line === '' ? void this.end() : this.#deliver();
      case '\x15':
        this.#line = '';
        return;
      case '\x1a':
        return;
      case '\x7f':
        this.#line = this.#line.slice(0, -1);
        return this.#show('\b \b');
      case '\r':
      case '\n':
        this.#line += '\n';
        this.#show('\r\n');
        return this.#deliver();
      default:
        this.#line += part;
        this.#show(part.replaceAll('\x1b', '^['));
    }
  }

  #deliver(): void {
    if (this.#line !== '' && !this.writableEnded) this.write(this.#line);
    this.#line = '';
  }

  #show(text: string): void {
    if (this.#echo.writable) this.#echo.write(text);
  }
}
