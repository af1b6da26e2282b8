import { tracingChannel } from 'node:diagnostics_channel';
import type { CallTrace, ModelTrace, TurnTrace } from '../api/trace.ts';

/** What is going on, for whoever listens: Node's way of it, which costs nothing while nobody does. */
export const callTraces = tracingChannel<CallTrace>('pegboard:call');
export const turnTraces = tracingChannel<TurnTrace>('pegboard:turn');
export const modelTraces = tracingChannel<ModelTrace>('pegboard:model');
