import type { Clock } from '../api/surroundings.ts';
import type { Artifacts } from '../api/store/artifacts.ts';
import type { ConfirmPolicy, ProvenanceRule } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { MaybePromise, ToolResult } from '../api/result.ts';
import type { Sandbox } from '../api/sandbox.ts';
import type { Registry, Scope } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import type { Workplace } from '../api/known-folders.ts';
import type { ConcurrencyLimitOptions } from '../core/async/concurrency-limit.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import type { WhyUnset } from '../core/secrets/why-unset.ts';
import type { Audit } from '../store/audit.ts';
import type { StoredFileOrigins } from '../store/files/file-origins.ts';
import type { FileChanges } from '../api/services/file-changes.ts';
import type { ConversationAllowances } from './allowances.ts';
import type { RemoteAnswers } from './ask-everywhere.ts';
import type { CallSlots } from './call-slots.ts';
import type { Approvals } from './confirm.ts';
import type { HookTable } from './hook-table.ts';
import type { KnownAddresses } from './provenance/known-addresses.ts';
import type { PermissionStore } from './permissions/offer-rules.ts';

export interface DispatchOptions {
  /** Limits calls. Default: the machine's. */
  readonly clock?: Clock;
  readonly registry: Registry;
  /** Read once per call: a reload takes effect between calls, never inside one. */
  readonly hooks: () => HookTable;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts;
  /** Absent: no file of the home is known to hold untrusted content. */
  readonly fileOrigins?: StoredFileOrigins;
  /** Absent: nobody wrote any. */
  readonly addresses?: KnownAddresses;
  /** Absent: changes of files are not recorded. */
  readonly changes?: FileChanges;
  readonly redactor: Redactor;
  readonly confirmPolicy: () => ConfirmPolicy;
  /** The owner's rules for calls. Absent: there are none but those of agents, and none can be added. */
  readonly permissions?: PermissionStore;
  /** Default: strict. */
  readonly provenanceRule?: () => ProvenanceRule;
  /** Maximum characters of a text block in a result. */
  readonly outputLimit: (takesLongTexts: boolean) => number;
  /** Resolves a variable or secret that an agent's file names. Absent: there are none. */
  readonly resolve?: (name: string) => string | undefined;
  readonly whyUnset?: WhyUnset | undefined;
  /** The sandbox of programs that a call starts. Absent: none. */
  readonly sandbox?: (
    tool: RegisteredTool,
    scope: Scope,
    workplace: Workplace | undefined,
  ) => MaybePromise<Sandbox | undefined>;
  readonly log: Logger;
  /** Other places that can answer questions; absent: none. */
  readonly elsewhere?: RemoteAnswers;
  /** How many calls run at once, and how long others queue. Default: `defaultCallLimit`. */
  readonly callLimit?: Omit<ConcurrencyLimitOptions, 'what'>;
  /** Records a line for every call; absent: no audit. */
  readonly audit?: Pick<Audit, 'record'>;
}

/** What all calls of one host share. */
export interface Pipeline extends DispatchOptions {
  readonly slots: CallSlots;
  readonly allowances: ConversationAllowances;
  readonly addresses: KnownAddresses;
  /** Results that are redacted and cut already: a tool may pass on the result of an inner call. */
  readonly finished: WeakSet<ToolResult>;
}
