/** "pegboard/processes": running programs and threads, and naming this process. */
export { runProcess, type ProcessOptions, type ProcessResult } from '../core/processes/process.ts';
export { childEnvironment } from '../core/processes/environment.ts';
export { maxCommandBytes } from '../core/platform/processes.ts';
export { fileTextsOf, type FileTexts } from '../core/programs/arguments.ts';
export { bashProgram } from '../core/platform/shells.ts';
export { thisProcess } from '../core/processes/owner.ts';
export { isRunning } from '../core/platform/process-identity.ts';
export { runThread, type ThreadOptions } from '../core/async/thread.ts';
export { requireSandbox } from '../core/sandbox/availability.ts';
export { describeSandbox, writableFoldersOf } from '../core/sandbox/rule.ts';
export type { Confinement } from '../core/sandbox/boundary.ts';
