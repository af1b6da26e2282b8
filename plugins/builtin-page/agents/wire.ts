/** What goes between a host and the page about agents. Types only. */

import type { DescribedAgent } from 'pegboard/browser';

export type AgentRow = DescribedAgent;

export interface AgentDetails extends AgentRow {
  readonly role: string;
  readonly models: readonly AgentModel[];
  /** Why none of its models can be named. */
  readonly modelProblem?: string;
  readonly skills: readonly AgentSkill[];
  readonly access: AgentAccess;
  readonly shown: AgentShown;
}

export interface AgentModel {
  readonly name: string;
  /** Tokens. */
  readonly contextWindow?: number;
  /** US dollars for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
  readonly problem?: string;
}

export interface AgentSkill {
  readonly name: string;
  readonly description: string;
  readonly tokens: number;
  readonly file: string;
}

/** What it may do. */
export interface AgentAccess {
  /** Undefined: every tool. */
  readonly modules?: readonly string[];
  readonly blocked: readonly string[];
  /** Tools that run without a question even after others' words were read. */
  readonly allowUntrusted: readonly string[];
  /** "workspace"; absent: the home's. */
  readonly sandbox?: string;
  /** US dollars. */
  readonly spendPerDay?: number;
  /** Model calls in one turn, and seconds for it. */
  readonly maxRounds: number;
  readonly deadline: number;
}

/** What its model is sent with every message, in tokens. */
export interface AgentShown {
  readonly mode: string;
  /** Why: "4,120 tokens of schemas fit into the budget of 6,400". */
  readonly reason: string;
  readonly contextWindow: number;
  readonly total: number;
  readonly parts: readonly { readonly title: string; readonly tokens: number }[];
  readonly tools: readonly {
    readonly name: string;
    /** Its id here; absent for what no tool of the home is. */
    readonly id?: string;
    readonly summary: string;
    readonly tokens: number;
  }[];
  /** How many tools it can call that are not shown at once. */
  readonly hidden: number;
}

/** Exactly what is sent. */
export interface AgentTexts {
  readonly parts: readonly { readonly title: string; readonly text: string }[];
  /** JSON, as a model with tools gets them. */
  readonly tools: string;
}
