import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from 'pegboard';
import { withWritten } from 'pegboard/kit';
import type { McpClient } from 'pegboard/serving';
import type { ClientQuestions } from '../client/client-questions.ts';
import type { Endpoint } from '../endpoint.ts';
import { isObject, type Era, type Exchange } from './exchange.ts';
import { legacyTaskMethods } from '../calls/legacy-tasks.ts';
import { modernTaskMethods } from '../calls/task-methods.ts';
import { capabilityOf, methods, type Method, type MethodName } from './methods.ts';
import { invalidParams, keepNotFound, RpcError, rpcCodes } from './rpc-error.ts';
import { toClient, toExchange } from './sdk-exchange.ts';

type Options = NonNullable<ConstructorParameters<typeof McpServer>[1]>;

export interface ServerOptions {
  readonly era: Era;
  /** The client that sent the request of this id. */
  readonly clientOf: (id: string | number) => McpClient;
  /** Absent where clients are not asked while they wait. */
  readonly questions?: ClientQuestions;
  /** Further methods besides `methods`. */
  readonly more?: { readonly [method: string]: Method };
}

/** The SDK's server for one endpoint: the SDK speaks the protocol, `methods` and `more` answer. */
export function createServer(
  endpoint: Endpoint,
  { era, clientOf, more = {}, questions }: ServerOptions,
): McpServer {
  const { host } = endpoint;
  const instructions = endpoint.instructionsFor();
  const options = instructions === undefined ? {} : { instructions };
  const face = new RawServer(endpoint, options);
  const capabilities = endpoint.capabilities(era);
  if (era === 'legacy') instructByClient(face, endpoint);
  face.server.registerCapabilities(capabilities);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
  face.server.onerror = (cause) => host.log.debug('a message of an MCP client was not handled', { cause });
  const offered = (Object.keys(methods) as MethodName[]).filter((name) => capabilityOf[name] in capabilities);
  const taskMethods = era === 'legacy' ? legacyTaskMethods : modernTaskMethods;
  const answers = {
    ...Object.fromEntries(offered.map((name) => [name, methods[name]])),
    ...(endpoint.tasks && taskMethods),
    ...more,
  };
  const exchangeOf = (context: ServerContext): Exchange =>
    toExchange(face, context, { era, clientOf, log: host.log, questions });
  if (era === 'modern') answerModern(face, endpoint, answers, exchangeOf);
  else answerLegacy(face, endpoint, answers, exchangeOf);
  return face;
}

/** Tools come from the registry and not from a table of the SDK's. */
class RawServer extends McpServer {
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint, options: Options) {
    super(endpoint.serverInfo(), { ...options, jsonSchemaValidator: noValidator });
    this.#endpoint = endpoint;
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#endpoint.schemaOf(name);
  }
}

/** The SDK would load its own ajv for answers to our questions; `Ask` says what an answer must be. */
const noValidator: NonNullable<Options['jsonSchemaValidator']> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

function answerModern(
  face: McpServer,
  endpoint: Endpoint,
  answers: { readonly [method: string]: Method },
  exchangeOf: (context: ServerContext) => Exchange,
): void {
  for (const [method, answer] of Object.entries(answers)) {
    face.server.setRequestHandler(method, { params: anything }, async (params, context) =>
      withWritten(await answer(endpoint, params, exchangeOf(context))),
    );
  }
}

/** A fallback handler, because of it the SDK checks neither request nor result against schemas of its own: a third of a call. */
function answerLegacy(
  face: McpServer,
  endpoint: Endpoint,
  answers: { readonly [method: string]: Method },
  exchangeOf: (context: ServerContext) => Exchange,
): void {
  face.server.fallbackRequestHandler = async ({ method, params }, context) => {
    const answer = Object.hasOwn(answers, method) ? answers[method] : undefined;
    if (!answer) throw new RpcError(rpcCodes.methodNotFound, 'Method not found');
    if (params !== undefined && !isObject(params)) throw invalidParams('The params are an object.');
    try {
      return await answer(endpoint, params ?? {}, exchangeOf(context));
    } catch (cause) {
      throw cause instanceof RpcError ? keepNotFound(cause) : cause;
    }
  };
}

/** A legacy client names itself before it gets instructions, so they can describe the list that it will get. */
function instructByClient({ server }: McpServer, endpoint: Endpoint): void {
  type Initialize = (request: { readonly params: { readonly clientInfo: unknown } }) => Promise<JsonObject>;
  const inner = server as unknown as { _oninitialize: Initialize };
  const initialize = inner._oninitialize.bind(server);
  inner._oninitialize = async (request) => {
    const { instructions: _, ...answer } = await initialize(request);
    const instructions = endpoint.instructionsFor(toClient(request.params.clientInfo, undefined));
    return { ...answer, ...(instructions !== undefined && { instructions }) };
  };
}

/** `methods` check their own params. */
const anything = {
  '~standard': {
    version: 1,
    vendor: 'pegboard',
    types: undefined as { readonly input: JsonObject; readonly output: JsonObject } | undefined,
    validate: (value: unknown) => ({ value: value as JsonObject }),
  },
} as const;
