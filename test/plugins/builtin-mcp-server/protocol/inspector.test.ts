import { testInspector } from '../../../kit/mcp/inspector.ts';

testInspector('modern over HTTP');
