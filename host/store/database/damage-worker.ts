/** A thread that looks for damage in a database, because SQLite reads all of it. Its path is `workerData`. */
import { parentPort, workerData } from 'node:worker_threads';
import { fileErrorInWords } from '../../core/system-error.ts';
import { damageOf } from './damage.ts';

export type DamageAnswer = { readonly damage: string | undefined } | { readonly unreadable: string };

function look(path: string): DamageAnswer {
  try {
    return { damage: damageOf(path) };
  } catch (cause) {
    return { unreadable: fileErrorInWords(cause) };
  }
}

parentPort!.postMessage(look(workerData as string), []);
