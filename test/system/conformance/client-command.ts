import { connect } from 'node:net';

/** What the conformance suite starts as "the client" of a scenario: the test's process is that client, and loads the host once. */
const [port, url] = process.argv.slice(2);
const context: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const socket = connect(Number(port), '127.0.0.1');
socket.pipe(process.stderr);
socket.write(`${JSON.stringify({ url, context })}\n`);
