/** What tests of plugins import as "pegboard/testing". */
export { openTestHost, type TestHost, type TestHostOptions } from './test-host.ts';
