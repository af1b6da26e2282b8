import { tracingChannel } from 'node:diagnostics_channel';
import type { CallTrace, ModelTrace, TurnTrace } from '../api/trace.ts';

/** Diagnostics channels for calls, turns and models. They cost nothing without subscribers. */
export const callTraces = tracingChannel<CallTrace>('pegboard:call');
export const turnTraces = tracingChannel<TurnTrace>('pegboard:turn');
export const modelTraces = tracingChannel<ModelTrace>('pegboard:model');
