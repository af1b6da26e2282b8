import { testInspector } from '../../../kit/mcp/inspector.ts';

testInspector('legacy over HTTP', 'auto over stdio');
