/**
 * Reports uncaught errors, of a plugin for instance, like any other instead of as Node's stack trace. An exception ends
 * the process, since its state is unknown; a rejection doesn't end a command that serves clients.
 */
export function reportCrashes(report: (cause: unknown) => Promise<number>, keepServing: boolean): Disposable {
  const onException = (cause: unknown): void => void report(cause).then((code) => process.exit(code));
  const onRejection = (cause: unknown): void => (keepServing ? void report(cause) : onException(cause));
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return {
    [Symbol.dispose]() {
      process.off('uncaughtException', onException);
      process.off('unhandledRejection', onRejection);
    },
  };
}
