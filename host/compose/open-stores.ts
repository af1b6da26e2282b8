import { join } from 'node:path';
import type { User } from '../core/platform/places.ts';
import { createReports, type Reports } from '../plugins/reports.ts';
import type { Artifacts } from '../api/store/artifacts.ts';
import type { Logger } from '../api/log.ts';
import { unknownHome } from '../home-trust.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { createApprovals, type StoredApprovals } from '../store/owner/approvals.ts';
import { createArtifacts } from '../store/files/artifacts.ts';
import { localDocuments, type Documents } from '../store/documents/documents.ts';
import type { SharedState } from './shared-state.ts';
import { databaseFileOf } from '../store/database/file.ts';
import { closedDatabase, type Database } from '../store/database/database.ts';
import { homeDatabase } from './home-database.ts';
import { createFileOrigins, type StoredFileOrigins } from '../store/files/file-origins.ts';
import { createJobStore, type JobStore } from '../store/jobs.ts';
import { createOffers, type Offers } from '../store/owner/offers.ts';
import { createQuestions, type StoredQuestions } from '../store/owner/questions.ts';
import { createSpacePinStore, type SpacePinStore } from '../store/owner/space-pins.ts';
import { openState, type StateStore } from '../store/files/state.ts';
import { createTrust, type TrustStore } from '../store/owner/trust.ts';
import { openUserState, type UserState } from '../store/owner/user-state.ts';

/** The stores in the home's `data/`, except its secrets, and in the user's state folder. Secrets are redacted from everything that is written. */
export interface Stores {
  readonly database: Database;
  readonly questions: StoredQuestions;
  readonly jobs: JobStore;
  readonly state: StateStore;
  readonly userState: UserState;
  readonly approvals: StoredApprovals;
  readonly trust: TrustStore;
  readonly offers: Offers;
  readonly spacePins: SpacePinStore;
  readonly artifacts: Artifacts;
  readonly fileOrigins: StoredFileOrigins;
  readonly documents: Documents;
  /** Of the services of plugins. */
  readonly reports: Reports;
}

export interface StoresOptions {
  /** That of the configuration. */
  readonly state: string | undefined;
  readonly redactor: Redactor;
  readonly log: Logger;
  /** Called with what the owner should know at once. */
  readonly notice: ((message: string) => void) | undefined;
  /** Nothing is written into the home, and its database stays closed. */
  readonly reading: boolean;
  /** The user's state folder. */
  readonly stateFolder: string;
  readonly user: User;
  /** Absent: the state is in files of this home. */
  readonly shared: SharedState | undefined;
}

/** The caller closes the database. */
export function openStores(home: string, options: StoresOptions): Stores {
  const { redactor, log, notice, reading, stateFolder, user, shared } = options;
  const database = reading
    ? closedDatabase(databaseFileOf(home), () => unknownHome(home, user))
    : (shared?.database ??
      homeDatabase(home, options.state, {
        redact: (text) => redactor.text(text),
        restored: (message) => {
          log.warn(message);
          notice?.(message);
        },
      }));
  const documents = shared?.documents ?? localDocuments;
  // Also with other hosts: offers are about this machine.
  const state = openState(join(home, 'data/state.json'), { readOnly: reading });
  const userState = openUserState(home, stateFolder, shared);
  const artifacts = shared?.artifacts ?? createArtifacts(join(home, 'data/artifacts'));
  return {
    database,
    questions: createQuestions(database, { redact: (text) => redactor.text(text) }),
    jobs: createJobStore(database),
    state,
    userState,
    approvals: createApprovals(userState.approved),
    trust: createTrust(userState),
    offers: createOffers(state),
    spacePins: createSpacePinStore(userState.approved, userState.spacePins, documents),
    artifacts: { ...artifacts, write: (text) => artifacts.write(redactor.text(text)) },
    fileOrigins: createFileOrigins(home, user, shared),
    documents,
    reports: createReports(),
  };
}
