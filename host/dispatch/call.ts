import type { ModuleBlock } from '../api/agent.ts';
import type { Ask } from '../api/ask.ts';
import type { CallRequest } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { Clock } from '../api/surroundings.ts';
import type { ModelUsage } from '../api/model.ts';
import type { Peer } from '../api/mcp/peer.ts';
import type { Origin } from '../api/provenance.ts';
import type { Sandbox } from '../api/sandbox.ts';
import type { ChangedFiles, Credential, Prepared, Progress, RegisteredTool, ToolCall } from '../api/tool.ts';
import type { Workplace } from '../api/known-folders.ts';
import type { Deadline } from '../core/async/deadline.ts';
import { markUntrusted } from '../core/foreign/untrusted.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import type { FileChanges } from '../api/services/file-changes.ts';
import { recordChanges } from './record-changes.ts';
import type { RemoteAnswers } from './ask-everywhere.ts';
import { createCallAsk } from './call-ask.ts';
import { originOf } from './provenance/rule.ts';

let calls = 0;
const processId = Date.now().toString(36);

/** Unique in this process and, by its start time, in the log. */
export const nextCallId = (): string => `${processId}-${++calls}`;

/** A call as hooks see it; `withDeadline` returns the one that `execute` gets. */
export interface PreparedCall extends ToolCall {
  /** Asks only where the call comes from; undefined when nobody can be asked there. */
  readonly askHere: Ask | undefined;
  withDeadline(deadline: Deadline): ToolCall;
}

export function createCall(
  request: CallRequest,
  parts: {
    readonly id: string;
    readonly tool: RegisteredTool;
    readonly module: ModuleBlock | undefined;
    readonly workplace: Workplace | undefined;
    readonly sandbox: Sandbox | undefined;
    readonly args: unknown;
    readonly prepared: Prepared | undefined;
    readonly signal: AbortSignal;
    readonly log: Logger;
    readonly clock: Clock | undefined;
    readonly redactor: Redactor;
    /** Other places that can answer questions, if any. */
    readonly elsewhere: RemoteAnswers | undefined;
    /** Whether rules deny a file, by its real path. */
    readonly isDenied: (path: string) => boolean;
    readonly credential: () => Credential | undefined;
    /** Receives what models used for this call. */
    readonly used: (usage: ModelUsage) => void;
    /** Receives how long the call has waited for a person, in milliseconds. */
    readonly waited: (ms: number) => void;
    /** Receives the origins of untrusted content that the call has read. */
    readonly recordOrigins: (origins: readonly Origin[]) => void;
    /** Absent: changes of files are not recorded. */
    readonly changes: FileChanges | undefined;
  },
): PreparedCall {
  const { scope, caller, parent, meta, onProgress, turn = parent?.turn } = request;
  const { confirm = parent?.confirm, conversation = parent?.conversation, peer, checkpoint } = request;
  const { client = parent?.client, beforeEffect = parent?.beforeEffect } = request;
  const { credential, used, waited, redactor, elsewhere, changes, clock, ...known } = parts;
  const askHere = request.ask && withoutSecrets(request.ask, redactor);
  const { tool, log } = parts;
  const from = { caller, turn };
  const everywhere = createCallAsk({ here: askHere, elsewhere, tool, scope, from, log, clock });
  const ask = withoutSecrets(everywhere, redactor);
  let writer: { readonly origin: Origin | undefined } | undefined;
  const base = {
    ...known,
    scope,
    caller,
    parent,
    meta,
    turn,
    conversation,
    client,
    confirm,
    beforeEffect,
    checkpoint,
    isAttended: askHere !== undefined,
    progress(step: Progress) {
      const { message, meta } = step;
      const shown = {
        ...step,
        ...(message !== undefined && { message: redactor.message(message) }),
        ...(meta && { meta: redactor.value(meta) }),
      };
      writer ??= { origin: originOf(known.tool, known.args) };
      onProgress?.(writer.origin ? markUntrusted(shown, writer.origin) : shown);
    },
    recordUsage(usage: ModelUsage) {
      used(usage);
      // Usage counts for the outer call too: the parent, or the call that began the turn.
      (parent ?? turn?.message.parent)?.recordUsage?.(usage);
    },
    recordWait(ms: number) {
      waited(ms);
      (parent ?? turn?.message.parent)?.recordWait?.(ms);
    },
  };
  return {
    ...base,
    ask,
    askHere,
    peer,
    withDeadline: (deadline) => ({
      ...base,
      credential,
      ...(changes && {
        recordChanges: <T>(files: ChangedFiles, change: () => Promise<T>) =>
          recordChanges(base, files, change, { changes, log }),
      }),
      signal: deadline.signal,
      ask: (question, signal) =>
        deadline.pausedFor(() =>
          // An inner call that asks records its wait itself, for its outer calls too.
          question.elsewhere
            ? ask(question, signal)
            : timed(
                () => ask(question, signal),
                (ms) => base.recordWait(ms),
              ),
        ),
      peer: peer && pausingPeer(peer, deadline),
    }),
  };
}

async function timed<T>(work: () => Promise<T>, record: (ms: number) => void): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    record(performance.now() - began);
  }
}

/** Questions are shown to people, so secrets are removed. */
const withoutSecrets =
  (ask: Ask, redactor: Redactor): Ask =>
  (question, signal) =>
    ask(redactor.value(question), signal);

function pausingPeer(peer: Peer, deadline: Deadline): Peer {
  return {
    capabilities: peer.capabilities,
    request: (method, params, options) => deadline.pausedFor(() => peer.request(method, params, options)),
    log: (level, data, logger) => peer.log(level, data, logger),
  };
}
