import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import type { Answer, Question } from '../../../host/api/ask.ts';
import type { Clock } from '../../../host/api/surroundings.ts';
import type { Progress } from '../../../host/api/tool.ts';
import { createLogger, type LogEntry } from '../../../host/core/log.ts';
import { createRedactor } from '../../../host/core/secrets/redact.ts';
import type { McpServerConfig } from '../../../host/sources/mcp/config.ts';
import { openPinStore } from '../../../host/sources/mcp/approval/pin-store.ts';
import { createMcpSource } from '../../../host/sources/mcp/source.ts';
import type { McpCall, McpSource } from '../../../host/sources/mcp/mcp-source.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/mcp');
const hostileFixtures = readdirSync(join(fixtures, 'hostile'));
const labVariable = 'PEGBOARD_TEST_LAB';
const packages = join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol');

/**
 * Servers inherit little. This passes on the location of Node's compile cache, which halves the cost of starting them.
 */
const compiled = process.env['NODE_COMPILE_CACHE'];
export const compileCache: { readonly NODE_COMPILE_CACHE?: string } =
  compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled };
const env = { env: compileCache };

/** The configuration of a fixture server: `test/fixtures/mcp/<name>.ts`, or `hostile/<name>.ts` in there. */
export function fixture(name: string, ...args: string[]): McpServerConfig {
  const file = `${name}.ts`;
  const path = join(fixtures, hostileFixtures.includes(file) ? 'hostile' : '', file);
  return { command: process.execPath, args: [path, ...args], ...env };
}

/** The configuration of a real server from npm: "everything", "filesystem", "memory". */
export function npmServer(name: string, ...args: string[]): McpServerConfig {
  const program = join(packages, `server-${name}/dist/index.js`);
  return { command: process.execPath, args: [program, ...args], ...env };
}

/**
 * Sources with a common folder for their state. Disposing closes all of them, and throws when one of their processes is
 * left.
 */
export interface McpLab extends AsyncDisposable {
  readonly data: string;
  /** Everything that was logged. */
  readonly log: LogEntry[];
  readonly redact: (text: string) => string;
  open(name: string, config: McpServerConfig, environment?: NodeJS.ProcessEnv): McpSource;
  /** Pids of all processes that the servers of this lab started. */
  processes(): number[];
  /** Resolves with the first matching entry, including earlier ones. */
  logged(matches: (entry: LogEntry) => boolean): Promise<LogEntry>;
}

/** `clock`: of what its sources wait for. */
export async function createMcpLab(clock?: Clock): Promise<McpLab> {
  const data = await mkdtemp(join(tmpdir(), 'pegboard-mcp-'));
  const sources: McpSource[] = [];
  const entries: LogEntry[] = [];
  const waiting = new Set<(entry: LogEntry) => void>();
  const redactor = createRedactor();
  const log = createLogger((entry) => {
    entries.push(entry);
    for (const look of waiting) look(entry);
  });
  const lab: McpLab = {
    data,
    log: entries,
    redact: (text) => redactor.text(text),
    open(name, config, environment = {}) {
      const resolve = (variable: string): string | undefined => environment[variable];
      const marked =
        config.url === undefined ? { ...config, env: { ...config.env, [labVariable]: data } } : config;
      const source = createMcpSource(name, marked, {
        home: data,
        surroundings: { ...processSurroundings(), ...(clock && { clock }) },
        data,
        pins: openPinStore(join(data, 'pins')),
        resolve,
        redactor,
        log,
        version: '0.0.0',
      });
      sources.push(source);
      return source;
    },
    processes: () => processesWith(`${labVariable}=${data}\0`),
    logged(matches) {
      const found = entries.find(matches);
      if (found) return Promise.resolve(found);
      return new Promise((resolve) => {
        const look = (entry: LogEntry): void => {
          if (!matches(entry)) return;
          waiting.delete(look);
          resolve(entry);
        };
        waiting.add(look);
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(sources.map((source) => source[Symbol.asyncDispose]!()));
      const left = lab.processes();
      await rm(data, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`left running: ${left.join(', ')}`);
    },
  };
  return lab;
}

/** A caller that records the messages and questions that it gets; `answer` is its answer. */
export interface TestCaller extends McpCall {
  readonly steps: Progress[];
  readonly questions: Question[];
}

export function caller(options: Partial<McpCall> & { readonly answer?: Answer } = {}): TestCaller {
  const { answer = { action: 'decline' }, ...rest } = options;
  const steps: Progress[] = [];
  const questions: Question[] = [];
  return {
    signal: new AbortController().signal,
    caller: 'test',
    meta: undefined,
    peer: undefined,
    progress: (step) => void steps.push(step),
    ask: async (question) => {
      questions.push(question);
      return answer;
    },
    steps,
    questions,
    ...rest,
  };
}

/** Resolves when `holds` is true for the source's list, which is read again after each change. */
export function until(source: McpSource, holds: () => boolean | Promise<boolean>): Promise<void> {
  return new Promise((resolve) => {
    const look = async (): Promise<void> => {
      if (!(await holds())) return;
      watching[Symbol.dispose]();
      resolve();
    };
    const watching = source.watch!(() => void look());
    void look();
  });
}

/** Running processes whose environment holds `text`; a zombie's is empty. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).includes(text));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
