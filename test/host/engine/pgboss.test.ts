import { engineSuite } from '../../kit/engine/suite.ts';
import { describePostgres, postgresUrl } from '../../kit/postgres.ts';

describePostgres('the engine on Postgres', () => {
  engineSuite(postgresUrl);
});
