import { toJson } from 'pegboard';
import { maxMessageLength } from './limits.ts';

/** The names of the host's functions while the bridge is set up; it deletes them. */
export const hostFunctions = { request: '__request', log: '__log', end: '__end' } as const;

/**
 * Runs inside the VM before the program: makes its globals, `args` (JSON) among them, and returns `[settle, start, explain]`. A script may overwrite
 * every built-in, so whatever the bridge uses later is captured here first.
 */
export const guestBridge = (maxCalls: number, args: string | undefined): string => `(() => {
  'use strict';
  const { stringify, parse } = JSON;
  const { defineProperty, freeze } = Object;
  const [NativeError, NativePromise, NativeProxy, text] = [Error, Promise, Proxy, String];
  const unreturnable = [[Promise, 'Await it.'], [Map, 'Return Object.fromEntries(map) or [...map].'], [Set, 'Return [...set].']];
  const request = globalThis.${hostFunctions.request};
  const print = globalThis.${hostFunctions.log};
  const end = globalThis.${hostFunctions.end};
  for (const name of ${toJson(Object.values(hostFunctions))}) delete globalThis[name];
  // The frames of a stack trace would hand out the bridge's functions.
  Error.prepareStackTrace = (_, frames) => frames;
  delete Object.getPrototypeOf(new Error().stack[0]).getFunction;
  Error.prepareStackTrace = undefined;
  const waiting = new Map();
  const find = Map.prototype.get.bind(waiting);
  const add = Map.prototype.set.bind(waiting);
  const remove = Map.prototype.delete.bind(waiting);
  let requests = 0;

  class ToolError extends NativeError {
    constructor({ message, code, stage, data } = {}, stack, tool) {
      super(message);
      define(this, 'name', 'ToolError');
      this.code = code;
      this.stage = stage;
      this.data = data;
      if (tool !== undefined) define(this, 'tool', tool);
      if (stack !== undefined) define(this, 'stack', stack);
    }
  }
  const define = (object, key, value) => defineProperty(object, key, { value, writable: true, configurable: true });

${requests(maxCalls)}
  const call = (name, args) => send('call', name, args);
  const own = { $search: (words, limit) => send('search', words, { limit }), $types: (name) => send('types', name) };
  // "await tools" and "await tools.shop" are no calls.
  const isNoName = (key) => typeof key === 'symbol' || key === 'then';
  const notCalled = (name) => () => {
    throw new NativeError(name === '' ? 'tools holds tools, not values.' : name + ' is a tool, not a value. Call it: tools.' + name + '({…})');
  };
  const tool = (name) => new NativeProxy(function () {}, {
    get: (_, key) => (isNoName(key) ? undefined : key === 'toJSON' ? notCalled(name) : tool(name + '.' + key)),
    apply: (_, __, list) => call(name, list[0]),
  });
  const tools = new NativeProxy({ __proto__: null }, {
    get: (_, key) => (isNoName(key) ? undefined : key === 'toJSON' ? notCalled('') : key === '$search' || key === '$types' ? own[key] : tool(key)),
  });
  const log = (...parts) => {
    let line = '';
    for (let at = 0; at < parts.length; at++) line += (at ? ' ' : '') + (typeof parts[at] === 'string' ? parts[at] : stringify(parts[at]));
    print(line);
  };
  const console = freeze({ log, info: log, warn: log, error: log, debug: log });
  const globals = { tools, call, console, ToolError${args === undefined ? '' : `, args: parse(${toJson(args)})`} };
  for (const name in globals) defineProperty(globalThis, name, { value: globals[name] });

${endings}
  return [settle, start, explain];
})()`;

/** `send(kind, name, args)`: a promise of the answer. `settle(id, json)` keeps it. */
const requests = (maxCalls: number): string => `
  const toText = (value, what, replacer) => {
    const json = stringify(value, replacer);
    if (json !== undefined && json.length > ${maxMessageLength})
      throw new NativeError(what + ' of ' + json.length + ' characters is too large: ${maxMessageLength} is the limit.');
    return json;
  };
  // Nothing is done in the promise's own function, which would take an interruption for a rejection.
  const send = (kind, name, args) => {
    let resolve, reject;
    const promise = new NativePromise((first, second) => { resolve = first; reject = second; });
    const site = new NativeError().stack;
    if (requests === ${maxCalls}) {
      reject(new ToolError({ code: 'PEG_LIMIT', message: 'A script makes at most ${maxCalls} calls.' }, site));
      return promise;
    }
    let json;
    try {
      name = text(name);
      json = toText(args === undefined || args === null ? {} : args, 'An argument');
    } catch (error) {
      reject(error);
      return promise;
    }
    const id = ++requests;
    add(id, { resolve, reject, site, name });
    // What goes on although it may not must not cost much until it is interrupted.
    if (!request(id, kind, name, json === undefined ? '{}' : json)) requests = ${maxCalls};
    return promise;
  };
  const settle = (id, json) => {
    const { resolve, reject, site, name } = find(id);
    remove(id);
    const answer = parse(json);
    if (answer.error) reject(new ToolError(answer.error, site, name));
    else resolve(answer.value);
  };`;

/** `start(run)` runs the program to its end. `explain(error)`: what an error says, as JSON. */
const endings = `
  const describe = (error) => {
    try {
      const { name, message, code, stack, tool } = error;
      if (typeof message !== 'string') throw error;
      return { name: text(name), message: text(message), code: code === undefined ? code : text(code), stack: text(stack), tool: typeof tool === 'string' ? tool : undefined };
    } catch {
      try { return { name: 'Error', message: typeof error === 'string' ? error : stringify(error) || text(error) }; }
      catch { return { name: 'Error', message: 'an error that cannot be shown' }; }
    }
  };
  const explain = (error) => stringify(describe(error));
  const fail = (error) => {
    let json;
    try { json = explain(error); } catch { return end('failed', ''); }
    end('threw', json);
  };
  const refuseOthers = (_, value) => {
    for (let at = 0; at < unreturnable.length; at++)
      if (value instanceof unreturnable[at][0])
        throw new NativeError('A ' + unreturnable[at][0].name + " can't be returned. " + unreturnable[at][1]);
    return value;
  };
  const finish = (value) => {
    let json;
    try {
      // A reference to a tool says so itself.
      json = toText(value, 'A returned value', refuseOthers);
      if (json === undefined && value !== undefined) throw new NativeError('A ' + typeof value + " can't be returned.");
    } catch (error) { return fail(error); }
    end('returned', json === undefined ? '' : json);
  };
  const start = async (run) => {
    let value;
    try { value = await run(); } catch (error) { return fail(error); }
    finish(value);
  };`;
